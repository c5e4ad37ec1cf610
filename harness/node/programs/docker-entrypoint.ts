import type { Program } from './program.ts';

/** The first process of many images: it prepares the environment, and then executes the given command. */
export const dockerEntrypoint: Program = ({ argv, exec }) => exec(argv.slice(1));
