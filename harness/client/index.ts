/** Connections to an apiserver, and the parts that build on them. */
