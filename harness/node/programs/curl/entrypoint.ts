import { coreutils } from '../coreutils.ts';
import type { Program } from '../program.ts';

const OTHERS = new Set(['sh', 'curl', 'wget', 'nslookup', 'nc', ...Object.keys(coreutils)]);

/**
 * The first process of curl's own image. It executes the given command, or curl if the first argument is not a command.
 */
export const curlEntrypoint: Program = ({ argv, exec }) => {
  const [, command = 'curl'] = argv;
  return exec(OTHERS.has(command) ? argv.slice(1) : ['curl', ...argv.slice(1)]);
};
