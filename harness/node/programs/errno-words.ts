import type { NetworkError } from '../../contracts/node/index.ts';

/** The kernel's words for what became of a connection or a datagram. */
export const errnoWords: Readonly<Record<NetworkError['code'], string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  EPERM: 'Operation not permitted',
  ETIMEDOUT: 'Connection timed out',
  ECONNRESET: 'Connection reset by peer',
  EPROTO: 'Protocol error',
  UNIMPLEMENTED: 'Protocol error',
};
