"""fails - a call that raises an error, whose text has a part."""


def fails(kind, part, function, *args, **more):
    try:
        function(*args, **more)
    except kind as e:
        assert part in str(e), "%s: no '%s' in '%s'" % (function.__name__, part, e)
        return e
    raise AssertionError("%s: no %s: %s" % (function.__name__, kind.__name__, part))
