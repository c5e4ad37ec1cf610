/** Ways to an apiserver, and what one builds on them. */
