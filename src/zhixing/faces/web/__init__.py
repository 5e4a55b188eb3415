"""The face for people: pages that are made here, work without scripts, and follow what happens where scripts run."""

# The application of the HTTP face takes the pages in, and they build on its parts: it is loaded first, whoever asks.
import zhixing.faces.http  # noqa: F401
