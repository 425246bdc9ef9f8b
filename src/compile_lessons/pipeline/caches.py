"""Compile caches and compile times.

Relies on ``FxGraphCache`` (``torch/_inductor/codecache.py``) and ``AOTAutogradCache``
(``torch/_functorch/_aot_autograd/autograd_cache.py``): both keep an entry in a folder named by its key; on the places
in ``compile_fx.py`` and ``aot_autograd.py`` that decide whether they are asked at all; and on
``torch._dynamo.utils.compilation_time_metrics``, filled by every ``dynamo_timed``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch._dynamo.utils
import torch._functorch.config
from torch._inductor import config as inductor_config

from compile_lessons.pipeline.model import CacheLookup, Phase


class Watch:
    """Asks the caches and answers "miss", so that every stage runs; stores nothing, so that they stay as they were."""

    HOOKS = {  # noqa: RUF012
        "torch._inductor.compile_fx:set_feature_use": "use_fx",
        "torch._functorch.aot_autograd:should_use_local_autograd_cache": "use_aot",
        "torch._inductor.codecache:FxGraphCache._lookup_graph": "look_up_fx",
        "torch._inductor.codecache:FxGraphCache.prepare_key": "key_fx",
        "torch._inductor.codecache:FxGraphCache._save_graph": "save",
        "torch._functorch._aot_autograd.autograd_cache:autograd_cache_key": "key_aot",
        "torch._functorch._aot_autograd.autograd_cache:AOTAutogradCache._lookup": "look_up_aot",
        "torch._functorch._aot_autograd.autograd_cache:AOTAutogradCache.save": "save",
    }

    def __init__(self) -> None:
        self.lookups: list[CacheLookup] = []

    def use_fx(self, original: Callable[..., Any], feature: str, used: bool) -> None:
        """Where torch decides whether it asks the ``FxGraphCache``, it also counts that."""
        if feature == "fx_cache" and not used:
            self.lookups.append(CacheLookup("FxGraphCache", _off_fx(), "off"))
        original(feature, used)

    def use_aot(self, original: Callable[..., Any]) -> bool:
        used = original()
        if not used:
            self.lookups.append(CacheLookup("AOTAutogradCache", _off_aot(), "off"))
        return used

    def look_up_fx(self, original: Callable[..., Any], key: str, *args: Any, **kwargs: Any) -> tuple[None, dict]:
        from torch._inductor.codecache import FxGraphCache

        self._note("FxGraphCache", key, FxGraphCache._get_tmp_dir_for_key(key))
        return None, {}

    def look_up_aot(self, original: Callable[..., Any], key: str, *args: Any, **kwargs: Any) -> None:
        from torch._functorch._aot_autograd.autograd_cache import AOTAutogradCache

        self._note("AOTAutogradCache", key, AOTAutogradCache._get_tmp_dir_for_key(key))

    def key_fx(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """No key: the graph can't be cached, and the cache is bypassed."""
        found, info = original(*args, **kwargs)
        if found is None:
            self.lookups.append(CacheLookup("FxGraphCache", info.get("cache_bypass_reason", ""), "bypass"))
        return found, info

    def key_aot(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Whatever is raised in making the key, torch takes it as the reason to bypass the cache."""
        try:
            return original(*args, **kwargs)
        except Exception as error:
            self.lookups.append(CacheLookup("AOTAutogradCache", str(error), "bypass"))
            raise

    def save(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Keep nothing."""

    def _note(self, cache: str, key: str, folder: str) -> None:
        present = os.path.isdir(folder) and bool(os.listdir(folder))
        self.lookups.append(CacheLookup(cache, key, "hit" if present else "miss"))


def _off_fx() -> str:
    """The setting that ``_compile_fx_inner`` finds; empty where it is the backend of a device that has no cache."""
    if torch.compiler.config.force_disable_caches:
        return "torch.compiler.config.force_disable_caches"
    if not inductor_config.fx_graph_cache:
        return "torch._inductor.config.fx_graph_cache"
    if torch._functorch.config.bundled_autograd_cache:
        return "torch._functorch.config.bundled_autograd_cache"
    return ""


def _off_aot() -> str:
    if torch.compiler.config.force_disable_caches:
        return "torch.compiler.config.force_disable_caches"
    return "torch._functorch.config.enable_autograd_cache"


def times() -> dict[str, int]:
    """How many times each phase was recorded so far."""
    return {name: len(seconds) for name, seconds in torch._dynamo.utils.compilation_time_metrics.items()}


def phases(before: dict[str, int]) -> tuple[Phase, ...]:
    """The phases recorded since ``before``, longest first."""
    found = []
    for name, seconds in torch._dynamo.utils.compilation_time_metrics.items():
        new = seconds[before.get(name, 0) :]
        if new:
            found.append(Phase(name, len(new), sum(new)))
    return tuple(sorted(found, key=lambda phase: -phase.seconds))
