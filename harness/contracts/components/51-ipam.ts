import type { CniPlugin } from '../node/index.ts';
import type { Part } from './part.ts';

/** The network plugin `host-local`, which allocates the IP addresses of pods. */
export const ipam: Part<CniPlugin> = {
  kata: '51-ipam',
  subject: 'hostLocal',
};
