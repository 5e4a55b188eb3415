// What makes the pages pleasant. Everything works without it.
import "htmx-ext-sse";

import "./forms";
import "./saying";
import "./live";
import "./worker";
