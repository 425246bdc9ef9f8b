"""Keep the C++ that step 4 compiles."""

import _step4_backend


def keep_sources():
    """Return a list that receives each C++ source before it is compiled."""
    sources = []
    compile_cpp = _step4_backend.compile_cpp

    def keep(source):
        sources.append(source)
        return compile_cpp(source)

    _step4_backend.compile_cpp = keep
    return sources
