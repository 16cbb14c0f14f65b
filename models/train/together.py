"""Processes that work on one thing together."""

import multiprocessing.process
import time
from collections.abc import Iterator

SECONDS_BETWEEN_LOOKS = 2


def working(workers: list[multiprocessing.process.BaseProcess], seconds: float = SECONDS_BETWEEN_LOOKS) -> Iterator[None]:
    """Starts the processes and comes back every so many seconds until all have done their work. Raises ChildProcessError once one of them
    has died, since the others would do its share and nobody would know; none outlives the loop, however that ends."""
    for worker in workers:
        worker.start()
    try:
        while True:
            # In this order: one that dies between the two looks is met by the next.
            alive = any(worker.is_alive() for worker in workers)
            for number, worker in enumerate(workers):
                if worker.exitcode:
                    raise ChildProcessError(f"worker {number} died with exit code {worker.exitcode}")
            if not alive:
                return
            yield
            time.sleep(seconds)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()
