# Snippets, recordings and labs on a GPU: docker compose -f docker/compose.yaml run --rm lessons python -m compile_lessons.course record
# torch's wheels bring CUDA's libraries and triton's its compiler; the driver is the host's.
FROM nvidia/cuda:13.0.1-base-ubuntu24.04

# Ubuntu removes old versions, so only the base is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends g++ make python3 python3-dev python3-venv \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1001 lessons

ENV PATH=/opt/venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python3 -m venv /opt/venv \
 && pip install torch==2.13.0

WORKDIR /lessons
COPY constraints.txt pyproject.toml setup.py README.md LICENSE ./
COPY src src
RUN pip install -c constraints.txt -e ".[test]" \
 && chown 1001:1001 /lessons

COPY --chown=1001:1001 . .
USER 1001:1001
CMD ["python", "-m", "compile_lessons.course", "record"]
