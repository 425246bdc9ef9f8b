"""Compile caches.

Relies on ``FxGraphCache`` (``torch/_inductor/codecache.py``) and ``AOTAutogradCache``
(``torch/_functorch/_aot_autograd/autograd_cache.py``): both keep an entry in a folder named by its key; and on the
places in ``compile_fx.py`` and ``aot_autograd.py`` that decide whether they are asked at all.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, ClassVar

import torch._functorch.config
import torch._inductor.config
from torch._functorch._aot_autograd.autograd_cache import AOTAutogradCache
from torch._inductor.codecache import FxGraphCache

from compile_lessons.facts import CacheLookup, CacheName, CacheState
from compile_lessons.pipeline.hooks import Original


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

    def __init__(self, lookups: list[CacheLookup]) -> None:
        self.lookups = lookups

    def _note(self, cache: CacheName, state: CacheState, key: str) -> None:
        self.lookups.append(CacheLookup(cache=cache, key=key, state=state))

    def use_fx(self, original: Original, feature: str, used: bool) -> None:
        """Note that the ``FxGraphCache`` is off. Torch counts its use where it decides whether to ask it."""
        if feature == "fx_cache" and not used:
            self._note("FxGraphCache", "off", _turned_off_by("FxGraphCache"))
        original(feature, used)

    def use_aot(self, original: Original) -> bool:
        used = original()
        if not used:
            self._note("AOTAutogradCache", "off", _turned_off_by("AOTAutogradCache"))
        return used

    def look_up_fx(self, original: Original, key: str, *args: Any, **kwargs: Any) -> tuple[None, dict]:
        self._look_up("FxGraphCache", key, FxGraphCache._get_tmp_dir_for_key(key))
        return None, {}

    def look_up_aot(self, original: Original, key: str, *args: Any, **kwargs: Any) -> None:
        self._look_up("AOTAutogradCache", key, AOTAutogradCache._get_tmp_dir_for_key(key))

    def _look_up(self, cache: CacheName, key: str, folder: str) -> None:
        self._note(cache, "hit" if os.path.isdir(folder) and os.listdir(folder) else "miss", key)

    def key_fx(self, original: Original, *args: Any, **kwargs: Any) -> Any:
        """Note why the cache is bypassed, where torch returns no key because the graph can't be cached."""
        key, info = original(*args, **kwargs)
        if key is None:
            self._note("FxGraphCache", "bypass", info.get("cache_bypass_reason", ""))
        return key, info

    def key_aot(self, original: Original, *args: Any, **kwargs: Any) -> Any:
        """Note why the cache is bypassed: torch takes any exception while it makes the key as the reason."""
        try:
            return original(*args, **kwargs)
        except Exception as error:
            self._note("AOTAutogradCache", "bypass", str(error))
            raise

    def save(self, original: Original, *args: Any, **kwargs: Any) -> None:
        """Keep nothing."""


@contextmanager
def without_caches() -> Iterator[None]:
    """Within it torch asks neither cache, and makes no keys."""
    with (
        torch._inductor.config.patch(fx_graph_cache=False),
        torch._functorch.config.patch(enable_autograd_cache=False),
    ):
        yield


#: The settings that turn a cache off, each with the value that does.
_SETTINGS: dict[CacheName, dict[str, bool]] = {
    "FxGraphCache": {
        "torch.compiler.config.force_disable_caches": True,
        "torch._inductor.config.fx_graph_cache": False,
        "torch._functorch.config.bundled_autograd_cache": True,
    },
    "AOTAutogradCache": {
        "torch.compiler.config.force_disable_caches": True,
        "torch._functorch.config.enable_autograd_cache": False,
    },
}


def _turned_off_by(cache: CacheName) -> str:
    """Return the setting that turns the cache off; empty where it is off because a device's backend has no cache."""
    settings = _SETTINGS[cache].items()
    return next((name for name, off in settings if attrgetter(name.removeprefix("torch."))(torch) == off), "")
