# Makes Python wait and read the time by the clock that jumps: it is read as sitecustomize when Python starts. It has no parameters.
import time

def _run(*words):
    import subprocess
    return subprocess.run(words, stdout=subprocess.PIPE).stdout

def _sleep(seconds):
    _run("sleep", "%.6f" % seconds)

def _time():
    return float(_run("date", "+%s.%N"))

time.sleep, time.time, time.monotonic = _sleep, _time, _time
