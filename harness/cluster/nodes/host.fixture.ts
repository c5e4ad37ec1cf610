import type { NodeHost } from '../../contracts/node/index.ts';

/** A machine that offers nothing, for components that ask nothing of it. */
export const bareHost = {
  ip: '192.168.0.1',
  runtime: {},
  images: {},
  network: {},
  files: {},
  stats: {},
  csi: new Map(),
} as unknown as NodeHost;
