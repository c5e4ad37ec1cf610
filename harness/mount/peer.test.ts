import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { connect } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { parseCertificate } from '../platform/x509/certificate.ts';
import { commonNameOf } from '../platform/x509/name.ts';
import type { Peer } from '../sim/index.ts';
import { listen } from './node.ts';
import { clientCertificate, type KeyPair, newAuthority, servingCertificate } from './tls.ts';

// Clients check certificates against the machine's clock.
const nowMs = Date.now();
const DAY_MS = 86_400_000;
const authority = newAuthority(nowMs);
const tls = servingCertificate({ hosts: ['127.0.0.1'], nowMs, authority });
const named = (commonName: string, issuer = authority, atMs = nowMs): KeyPair =>
  clientCertificate(issuer, { commonName, organizations: [], nowMs: atMs });

/** Listens, and records the peer of each request. */
async function listening() {
  const peers: (Peer | undefined)[] = [];
  const server = await listen(
    async (_request, peer) => {
      peers.push(peer);
      return new Response('', { status: 401 });
    },
    { tls },
  );
  const ask = async (pair?: KeyPair, agent?: Agent): Promise<number | undefined> => {
    const sent = request(server.url, { ca: tls.ca, ...pair, ...(agent && { agent }) }).end();
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  };
  return { peers, ask, url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

const namesOf = (peers: readonly (Peer | undefined)[]) =>
  peers.map((peer) =>
    peer?.certificates.slice(0, 1).map((der) => commonNameOf(parseCertificate(der).subject)),
  );

describe('The peer of a TLS connection', () => {
  test('has the certificate of the client, if it presents one', async () => {
    await using server = await listening();
    expect([await server.ask(), await server.ask(named('jane'))]).toEqual([401, 401]);
    expect(namesOf(server.peers)).toEqual([[], ['jane']]);
  });

  test('can have a bad certificate: the handshake succeeds', async () => {
    await using server = await listening();
    const expired = named('old', authority, nowMs - 400 * DAY_MS);
    const early = named('early', authority, nowMs + DAY_MS);
    const foreign = named('foreign', newAuthority(nowMs));
    const forServers: KeyPair = servingCertificate({ hosts: ['a'], nowMs, authority });
    for (const pair of [expired, early, foreign, forServers]) expect(await server.ask(pair)).toBe(401);
    expect(namesOf(server.peers)).toEqual([['old'], ['early'], ['foreign'], ['kube-apiserver']]);
  });

  test('has the certificates of issuers that the client presents', async () => {
    await using server = await listening();
    const other = newAuthority(nowMs);
    const pair = named('jane', other);
    await server.ask({ ...pair, cert: pair.cert + other.pem });
    expect(server.peers[0]?.certificates.at(-1)).toEqual(other.certificate.der);
    expect(server.peers[0]?.certificates).toHaveLength(2);
  });

  test('is the same for all requests of a connection, and another one for another connection', async () => {
    await using server = await listening();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const pair = named('jane');
    for (let i = 0; i < 2; i++) await server.ask(pair, agent);
    agent.destroy();
    const [first, second] = server.peers;
    expect(first).toBe(second);
    await server.ask(pair);
    expect(server.peers[2]).not.toBe(first);
  });

  test('is known to a connection that the client wants to resume', async () => {
    await using server = await listening();
    const { hostname: host, port } = new URL(server.url);
    const options = {
      host,
      port: Number(port),
      ca: tls.ca,
      ...named('jane'),
      maxVersion: 'TLSv1.2',
    } as const;
    const get = async (session?: Buffer) => {
      const socket = connect({ ...options, ...(session && { session }) });
      await once(socket, 'secureConnect');
      socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
      socket.resume();
      await once(socket, 'close');
      return socket.getSession();
    };
    await get(await get());
    expect(namesOf(server.peers)).toEqual([['jane'], ['jane']]);
  });

  test('is unknown over plain HTTP', async () => {
    const peers: unknown[] = [];
    await using server = await listen(async (_request, peer) => {
      peers.push(peer);
      return new Response();
    });
    await fetch(server.url);
    expect(peers).toEqual([undefined]);
  });
});
