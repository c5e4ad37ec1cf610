import type { Program } from './program.ts';

/** The first process of many images: it prepares things, and becomes the command that it was given. */
export const dockerEntrypoint: Program = ({ argv, exec }) => exec(argv.slice(1));
