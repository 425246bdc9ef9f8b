# The site and the tests, on a CPU: docker build -f docker/cpu.Dockerfile -t compile-lessons .
FROM python:3.12.11-slim-bookworm

# Inductor compiles C++ on the CPU; OpenMP comes with g++. Debian removes old versions, so only the base is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends g++ make \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 lessons

# uv writes no bytecode unless asked, and this user can't write any beside torch: each process would parse torch.
ENV PATH=/opt/venv/bin:$PATH VIRTUAL_ENV=/opt/venv PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv \
 && pip install uv==0.13.9 \
 && uv pip install --no-cache --compile-bytecode --torch-backend=cpu torch==2.13.0

WORKDIR /lessons
COPY constraints.txt pyproject.toml setup.py README.md LICENSE ./
COPY src src
RUN pip install -c constraints.txt -e ".[site,test]" \
 && chown 1000:1000 /lessons

COPY --chown=1000:1000 . .
USER 1000:1000
STOPSIGNAL SIGINT
EXPOSE 8000
CMD ["mkdocs", "serve", "--dirty", "--dev-addr", "0.0.0.0:8000"]
