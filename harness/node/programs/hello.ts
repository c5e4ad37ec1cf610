import type { Program } from './program.ts';

/** Prints a greeting and exits. */
export const hello: Program = async ({ stdout }) => {
  stdout(
    '\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n\n',
  );
  return 0;
};
