"""What the processes of the vector benchmarks run: programs that get a path of a file and twelve words."""

BEFORE = """
import json, resource, sys, time
import numpy as np
path, twelve = sys.argv[1], json.loads(sys.argv[2])
def begin():
    return time.perf_counter(), time.process_time()
def since(begun):
    return [time.perf_counter() - begun[0], time.process_time() - begun[1]]
def own_mib():
    with open("/proc/self/smaps_rollup") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("Anonymous:"))
def tell(**figures):
    figures["mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(figures))
"""
BARE = "tell(own=own_mib())"
CLEAR = """
from askew.vectors.cache import clear_cache
clear_cache()
tell()
"""

_GENSIM_LOAD = """
from gensim.models import KeyedVectors
begun = begin()
vectors = KeyedVectors.load_word2vec_format(path, binary={binary}, no_header={no_header})
taken = vectors[twelve]
tell(open=since(begun))
"""
GENSIM_TEXT = _GENSIM_LOAD.format(binary=False, no_header=True)
GENSIM_BINARY = _GENSIM_LOAD.format(binary=True, no_header=False)
GENSIM_SAVE = """
from gensim.models import KeyedVectors
KeyedVectors.load_word2vec_format(path, binary=True).save(path + ".kv")
tell()
"""
GENSIM_REOPEN = """
from gensim.models import KeyedVectors
begun = begin()
vectors = KeyedVectors.load(path + ".kv", mmap="r")
taken = vectors[twelve]
tell(open=since(begun), own=own_mib())
"""
GENSIM_SEARCH = """
from gensim.models import KeyedVectors
vectors = KeyedVectors.load(path + ".kv", mmap="r")
begun = begin()
vectors.most_similar(twelve[0])
first = since(begun)
begun = begin()
for _ in range(12):
    for word in twelve:
        vectors.most_similar(word)
tell(first=first, many=since(begun))
"""

OURS_OPEN = """
import askew.vectors.files
from askew.vectors import open_vectors
begun = begin()
vectors = open_vectors(path)
taken = vectors.vectors(twelve)
tell(open=since(begun))
"""
OURS_REOPEN = """
import askew.vectors.cache, askew.vectors.store
from askew.vectors import open_vectors
begun = begin()
vectors = open_vectors(path)
taken = vectors.vectors(twelve)
tell(open=since(begun), own=own_mib())
"""
OURS_IMPORT = """
from pathlib import Path
from askew.vectors.importing import import_vectors
begun = begin()
import_vectors(Path(path))
tell(open=since(begun))
"""
# The limit of memory: the fastest of four ways to go through the matrix once.
OURS_SEARCH = """
from pathlib import Path
from askew.blas import one_thread, share_out
from askew.vectors import open_vectors
from askew.vectors.cache import place_of
from askew.vectors.options import Options
vectors = open_vectors(path)
begun = begin()
vectors.neighbours(twelve[0])
first = since(begun)
def seconds(work):
    taken = []
    for _ in range(9):
        begun = begin()
        work()
        taken.append(since(begun)[0])
    return sorted(taken)[4]
numbers = place_of(Path(path), str(Options())) / "vectors.f4"
matrix = np.fromfile(numbers, dtype="<f4").reshape(len(vectors), vectors.dim)
query = np.ones(vectors.dim, dtype=np.float32)
parts = [matrix[start : start + 32768] for start in range(0, len(matrix), 32768)]
def products():
    with one_thread():
        share_out(query.__matmul__, [part.T for part in parts])
limit = min(map(seconds, (matrix.sum, lambda: share_out(np.sum, parts), lambda: matrix @ query, products)))
one = seconds(lambda: vectors.neighbours(twelve[1]))
begun = begin()
vectors.neighbours_of_many(twelve * 12)
tell(first=first, many=since(begun), share=limit / one)
"""
OURS_WHOLE = """
import askew
from askew_gui.app import make_app
from askew_gui.maps.grid import HeadGrid
from askew_gui.store import Store
app = make_app()
vectors = askew.open_vectors(path)
heads = askew.random_heads(12, d_model=vectors.dim, d_k=25, d_v=25)
store = Store(askew.Experiment(text=" ".join(twelve), vectors=vectors.ref, heads=heads), vectors)
grid = HeadGrid(store)
grid.resize(1280, 860)
grid.show()
picture = grid.viewport().grab()
tell()
"""
GENSIM_WHOLE = """
import askew
from gensim.models import KeyedVectors
from PySide6.QtWidgets import QApplication
from benchmarks.baselines import PlotMaps, einsum_patterns
app = QApplication([])
vectors = KeyedVectors.load(path + ".kv", mmap="r")
dice = np.random.default_rng(0)
w_q, w_k = dice.standard_normal((2, 12, vectors.vector_size, 25)).astype(np.float32)
patterns = einsum_patterns(vectors[twelve], w_q, w_k)
picture = PlotMaps(12, twelve, columns=4).show_frame(patterns)
tell()
"""
# Sixty edits a second, each painted at once, while the import goes on: how many of 60 there was time for.
OURS_FRAMES = """
import subprocess
from benchmarks.material import Editor, made_experiment
from benchmarks.painting import page_of
from askew_gui.app import make_app
from askew_gui.store import Store
app = make_app()
experiment, vectors = made_experiment(16, 300, 12)
store, editor = Store(experiment, vectors), Editor(experiment)
page = page_of(store)
def kept(busy, seconds):
    begun, last, shown = time.perf_counter(), -1, 0
    while busy() and (now := time.perf_counter() - begun) < seconds:
        if int(60 * now) == last:
            time.sleep((last + 1) / 60 - now)
            continue
        last, shown = int(60 * now), shown + 1
        store.apply(editor.next(), "")
        page.grab()
    return 60 * shown / (last + 1)
alone = kept(lambda: True, 2)
command = [sys.executable, "-m", "askew_gui", "vectors", "import", "--background", path]
helper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
during = kept(lambda: helper.poll() is None, 60)
helper.stdin.close()
helper.wait()
tell(alone=alone, during=during)
"""
