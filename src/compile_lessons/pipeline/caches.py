"""Compile caches and compile times.

Relies on ``FxGraphCache`` (``torch/_inductor/codecache.py``) and ``AOTAutogradCache``
(``torch/_functorch/_aot_autograd/autograd_cache.py``): both keep an entry in a folder named by its key; on the places
in ``compile_fx.py`` and ``aot_autograd.py`` that decide whether they are asked at all; and on
``torch._dynamo.utils.compilation_time_metrics``, filled by every ``dynamo_timed``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar

import torch._dynamo.utils
import torch._functorch.config
from torch._inductor import config as inductor_config

from compile_lessons.pipeline.model import CacheLookup, CacheName, Phase


class CachesWatch:
    """Ask the caches, but answer "miss" so that every stage runs, and store nothing so that they stay as they are."""

    HOOKS: ClassVar[dict[str, str]] = {
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
        """Note that the ``FxGraphCache`` is off. Torch counts its use where it decides whether to ask it."""
        if feature == "fx_cache" and not used:
            self.lookups.append(CacheLookup(cache="FxGraphCache", key=_off_fx(), state="off"))
        original(feature, used)

    def use_aot(self, original: Callable[..., Any]) -> bool:
        used = original()
        if not used:
            self.lookups.append(CacheLookup(cache="AOTAutogradCache", key=_off_aot(), state="off"))
        return used

    def look_up_fx(self, original: Callable[..., Any], key: str, *args: Any, **kwargs: Any) -> tuple[None, dict]:
        from torch._inductor.codecache import FxGraphCache

        self._note("FxGraphCache", key, FxGraphCache._get_tmp_dir_for_key(key))
        return None, {}

    def look_up_aot(self, original: Callable[..., Any], key: str, *args: Any, **kwargs: Any) -> None:
        from torch._functorch._aot_autograd.autograd_cache import AOTAutogradCache

        self._note("AOTAutogradCache", key, AOTAutogradCache._get_tmp_dir_for_key(key))

    def key_fx(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Note why the cache is bypassed, where torch returns no key because the graph can't be cached."""
        key, info = original(*args, **kwargs)
        if key is None:
            self.lookups.append(
                CacheLookup(cache="FxGraphCache", key=info.get("cache_bypass_reason", ""), state="bypass")
            )
        return key, info

    def key_aot(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Note why the cache is bypassed: torch takes any exception while it makes the key as the reason."""
        try:
            return original(*args, **kwargs)
        except Exception as error:
            self.lookups.append(CacheLookup(cache="AOTAutogradCache", key=str(error), state="bypass"))
            raise

    def save(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Keep nothing."""

    def _note(self, cache: CacheName, key: str, folder: str) -> None:
        present = os.path.isdir(folder) and bool(os.listdir(folder))
        self.lookups.append(CacheLookup(cache=cache, key=key, state="hit" if present else "miss"))


def _off_fx() -> str:
    """Return the setting that turns the cache off; empty where it is off because a device's backend has no cache."""
    if torch.compiler.config.force_disable_caches:
        return "torch.compiler.config.force_disable_caches"
    if not inductor_config.fx_graph_cache:
        return "torch._inductor.config.fx_graph_cache"
    if torch._functorch.config.bundled_autograd_cache:
        return "torch._functorch.config.bundled_autograd_cache"
    return ""


def _off_aot() -> str:
    """Return the setting that turns the cache off."""
    if torch.compiler.config.force_disable_caches:
        return "torch.compiler.config.force_disable_caches"
    return "torch._functorch.config.enable_autograd_cache"


def times() -> dict[str, int]:
    """Return how often each phase was recorded so far."""
    return {name: len(seconds) for name, seconds in torch._dynamo.utils.compilation_time_metrics.items()}


def phases(before: dict[str, int]) -> tuple[Phase, ...]:
    """Return the phases recorded since ``before``, longest first."""
    phases = []
    for name, seconds in torch._dynamo.utils.compilation_time_metrics.items():
        new = seconds[before.get(name, 0) :]
        if new:
            phases.append(Phase(name=name, calls=len(new), seconds=sum(new)))
    return tuple(sorted(phases, key=lambda phase: -phase.seconds))
