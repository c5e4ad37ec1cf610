import { createHandler } from '../../apiserver/handler/handler.ts';
import { bindClusterAdmins } from '../../cluster/addons/cluster-admins.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { securedBy } from '../../cluster/secured.ts';
import type { Components } from '../../contracts/component.ts';
import type { FetchHandler } from '../../mount/fetch.ts';
import type { KeyPair } from '../../mount/tls.ts';
import { type CertificateAuthority, certificatePem, type Template } from '../../platform/x509/authority.ts';
import { PURPOSE } from '../../platform/x509/extensions.ts';
import { COMMON_NAME, ORGANIZATION } from '../../platform/x509/name.ts';
import { pemBlocks } from '../../platform/x509/pem.ts';
import { PrivateKey } from '../../platform/x509/private-key.ts';
import { newRequest } from '../../platform/x509/requests.fixture.ts';
import type { Peer } from '../../sim/index.ts';
import { ClusterPki } from '../cluster-pki.ts';
import { AS_SERVED, guardOf } from '../serve-cluster.ts';

/** A request, with its credentials. */
export interface Sent {
  readonly pair?: KeyPair | undefined;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue GET, or POST with a body */
  readonly method?: string;
  readonly body?: object;
  /** @defaultValue `application/json` */
  readonly contentType?: string;
}

/** The answer to a request. */
export interface Received {
  readonly code: number;
  readonly message: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server outside the cluster. */
export interface Outside extends AsyncDisposable {
  /** `https://localhost:43127` */
  readonly url: string;
  /** The certificate of its authority, in base64. */
  readonly caBundle: string;
}

/** A secured cluster, and a way to send requests to its apiserver: over HTTPS, or straight to its handler. */
export interface Front extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly pki: ClusterPki;
  /** The certificate of the administrator. */
  readonly admin: KeyPair;
  send(path: string, sent?: Sent): Promise<Received>;
  /** Starts a server outside the cluster. Its answer can be anything, and can also never come. */
  serve(handler: FetchHandler): Promise<Outside>;
  /** Lets the clock of the cluster run, in virtual ms. */
  pass(ms: number): Promise<void>;
  /** Lets the clock of the cluster run until the promise settles, unless it runs anyway. */
  settle<T>(promise: Promise<T>): Promise<T>;
}

const refuse = async (): Promise<never> => {
  throw new Error('dial tcp 192.0.2.1:443: connect: connection refused');
};

/** Opens a handler of an apiserver with access control and admission, and two of its controllers. No process is started. */
export async function openHandler(components: Partial<Components>): Promise<Front> {
  const startMs = Date.UTC(2026, 10, 28);
  const pki = ClusterPki.create(startMs);
  const tls = pki.serving(['localhost'], startMs);
  const cluster = await createCluster({
    ...{ ...AS_SERVED, ...securedBy(components), components, startMs, tokenKey: pki.tokenKey },
  });
  cluster.runComponents('clusterRoleAggregationController', 'garbageCollector');
  await bindClusterAdmins(cluster.as('kubeadm'));
  await cluster.runFor(1_000);
  const { server } = cluster.replica();
  const { access } = server;
  if (!access) throw new Error('the apiserver has no access control');
  const handler = createHandler(server, { guard: guardOf(server, access, tls) });
  const servers = new Map<string, FetchHandler>();
  cluster.network.requestOutside = async ({ host, path, method, headers, body = '' }) => {
    const request = new Request(`https://${host}${path}`, { method, headers, body });
    const response = await (servers.get(host) ?? refuse)(request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
  return {
    cluster,
    pki,
    admin: pki.admin(startMs),
    async send(path, { pair, ...sent } = {}) {
      const { method, headers, body } = requestOf(sent);
      const request = new Request(`https://localhost${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const peer: Peer | undefined = pair && {
        certificates: pemBlocks(pair.cert).map(({ bytes }) => bytes),
      };
      const response = await cluster.settle(handler(request, peer));
      return receivedFrom(response.status, await response.text());
    },
    async serve(answer) {
      const host = `webhook-${servers.size + 1}.test`;
      servers.set(host, answer);
      return {
        url: `https://${host}`,
        caBundle: btoa(tls.ca),
        async [Symbol.asyncDispose]() {
          servers.set(host, refuse);
        },
      };
    },
    pass: (ms) => cluster.runFor(ms),
    settle: (promise) => cluster.settle(promise),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/** Returns the parts of an HTTP request. */
export function requestOf({
  token,
  body,
  method = body ? 'POST' : 'GET',
  contentType = 'application/json',
  headers = {},
}: Sent) {
  return {
    method,
    headers: {
      ...(body && { 'Content-Type': contentType }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    } as Record<string, string>,
    body: body && JSON.stringify(body),
  };
}

/** Returns an answer with its message, if it is a Status. */
export function receivedFrom(code: number, text: string): Received {
  const body = text.startsWith('{') ? JSON.parse(text) : { text };
  return { code, message: body.message ?? '', body };
}

/** The content of a client's certificate, as far as it differs from a valid one. */
export interface Identity extends Partial<Omit<Template, 'subject' | 'publicKey'>> {
  readonly name?: string;
  readonly groups?: readonly string[];
}

let serial = 1n;

/** Issues a certificate for a client. It is valid for an hour, for clients. */
export function issue(authority: CertificateAuthority, nowMs: number, identity: Identity = {}): KeyPair {
  const { name, groups = [], ...changes } = identity;
  const key = PrivateKey.random();
  serial += 1n;
  const der = authority.issue({
    subject: [
      ...groups.map((value) => ({ type: ORGANIZATION, value })),
      ...(name === undefined ? [] : [{ type: COMMON_NAME, value: name }]),
    ],
    publicKey: key.publicKey,
    serial,
    notBeforeMs: nowMs - 60_000,
    notAfterMs: nowMs + 3_600_000,
    usages: ['digitalSignature'],
    purposes: [PURPOSE.clientAuth],
    ...changes,
  });
  return { cert: certificatePem(der), key: key.pem };
}

/** Returns a request for the certificate of a client, in base64. */
export function requestFor(name: string, groups: readonly string[] = []): string {
  const subject = [
    ...groups.map((value) => ({ type: ORGANIZATION, value })),
    { type: COMMON_NAME, value: name },
  ];
  return btoa(newRequest({ subject, signer: PrivateKey.random() }));
}
