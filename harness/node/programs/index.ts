import { dockerEntrypoint } from './docker-entrypoint.ts';
import { nginx } from './nginx.ts';
import { pause } from './pause.ts';
import type { Programs } from './program.ts';
import { sleep } from './sleep.ts';

/** What the images of {@link createMachine} can run, by the name of the executable. */
export const standardPrograms: Programs = {
  pause,
  sleep,
  nginx,
  'docker-entrypoint.sh': dockerEntrypoint,
  true: async () => 0,
  false: async () => 1,
};
