import type { Plugin } from 'vite';

/** placeholder */
export function judged(): Plugin {
  return { name: 'judged' };
}
