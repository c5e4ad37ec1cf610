import type { Duplex } from 'node:stream';
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Peer } from '../sim/index.ts';

const peers = new WeakMap<TLSSocket, Peer>();

/** Returns the peer of a connection; undefined if the connection has no TLS. */
export function peerOf(socket: Duplex): Peer | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const known = peers.get(socket);
  if (known) return known;
  const peer = { certificates: certificatesOf(socket) };
  peers.set(socket, peer);
  return peer;
}

/** A certificate without an issuer is its own issuer, or has none here. Without a certificate, the object is empty. */
function certificatesOf(socket: TLSSocket): readonly Uint8Array[] {
  const certificates: Uint8Array[] = [];
  let next: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate(true);
  while (next?.raw) {
    certificates.push(next.raw);
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate;
  }
  return certificates;
}
