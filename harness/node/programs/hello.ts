import type { Program } from './program.ts';

/** Says hello, and is done. */
export const hello: Program = async ({ stdout }) => {
  stdout(
    '\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n\n',
  );
  return 0;
};
