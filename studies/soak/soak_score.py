def table(*_): return ""
