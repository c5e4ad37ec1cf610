import type {
  CertificateSigningRequest,
  ConfigMap,
  Deployment,
  KubeObject,
  New,
  Pod,
} from '../../api/objects.ts';
import { StatusError } from '../../api/status.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Watch } from '../../contracts/client.ts';

/** A ConfigMap of the namespace `default`. */
export function configMap(name: string, data: Record<string, string> = {}, labels = {}): New<ConfigMap> {
  return { metadata: { name, namespace: 'default', labels }, data };
}

/** A pod of the namespace `default` with one container. */
export function pod(name: string, labels: Record<string, string> = { app: 'web' }): New<Pod> {
  return {
    metadata: { name, namespace: 'default', labels },
    spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] },
  };
}

/** With the fields alone that the server does not fill in. */
export function deployment(name: string, replicas: number): New<Deployment> {
  const labels = { app: name };
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] } },
    },
  } as unknown as New<Deployment>;
}

/** Jane asks for a certificate. */
export function certificateSigningRequest(name: string): New<CertificateSigningRequest> {
  const request = Buffer.from(
    [
      '-----BEGIN CERTIFICATE REQUEST-----',
      'MIGOMEICAQAwDzENMAsGA1UEAwwEamFuZTAqMAUGAytlcAMhAHs2EWCb1xDjD/fj',
      'v8QRhP08kQQdoyS7uT/BsFtJgsRxoAAwBQYDK2VwA0EAirqmoKBFIrY0wF58SGLd',
      'N1xg0g7/cXhN5EicBfnLNVr3ayUt7PI4iGMPADbKr06u1i5t5xsGn4gWBpSlbg9e',
      'Aw==',
      '-----END CERTIFICATE REQUEST-----',
    ].join('\n'),
  ).toString('base64');
  const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  return { metadata: { name }, spec };
}

/** The key of an object in the namespace that the tests use. */
export const inDefault = (name: string): { namespace: string; name: string } => ({
  namespace: 'default',
  name,
});

/** What the server said when it refused. Fails if it did not. */
export async function refusal(
  call: Promise<unknown>,
): Promise<[code: number, reason: string, message: string]> {
  const error = await call.then(
    () => new Error('The server did not refuse.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StatusError)) throw error;
  return [error.code, error.reason, error.message];
}

/** Iterates by hand, an event at a time. */
export function reading<T extends KubeObject>(watch: Watch<T>) {
  const events = watch[Symbol.asyncIterator]();
  return {
    /** The next event. Waits for it. */
    async next(): Promise<WatchEvent<T>> {
      const { done, value } = await events.next();
      if (done) throw new Error('The stream is over.');
      return value;
    },
    /** Type and name of the next event. */
    async told(): Promise<string> {
      const { type, object } = await this.next();
      return `${type} ${(object as KubeObject).metadata.name}`;
    },
    /** Whether the stream is over, once it is known. */
    async isOver(): Promise<boolean> {
      return (await events.next()).done === true;
    },
  };
}

/** Is every part of it frozen? */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
