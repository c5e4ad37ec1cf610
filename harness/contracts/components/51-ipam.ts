import type { CniPlugin } from '../node/index.ts';
import type { Part } from './part.ts';

/** The network plugin `host-local`, which gives pods their addresses. */
export const ipam: Part<CniPlugin> = {
  kata: '51-ipam',
  subject: 'hostLocal',
};
