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

/** Returns a ConfigMap in the namespace `default`. */
export function configMap(name: string, data: Record<string, string> = {}, labels = {}): New<ConfigMap> {
  return { metadata: { name, namespace: 'default', labels }, data };
}

/** Returns a pod in the namespace `default` with one container. */
export function pod(name: string, labels: Record<string, string> = { app: 'web' }): New<Pod> {
  return {
    metadata: { name, namespace: 'default', labels },
    spec: { containers: [{ name: 'main', image: 'nginx:1.25' }] },
  };
}

/** Returns a Deployment with only the fields that the server does not default. */
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

/** Returns a certificate request of the user jane. */
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

/** Returns the key of an object in the tests' namespace. */
export const inDefault = (name: string): { namespace: string; name: string } => ({
  namespace: 'default',
  name,
});

/** Returns the error with which the server rejects a call. Fails if the call succeeds. */
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

/** Reads a watch one event at a time. */
export function reading<T extends KubeObject>(watch: Watch<T>) {
  const events = watch[Symbol.asyncIterator]();
  return {
    /** Waits for the next event and returns it. */
    async next(): Promise<WatchEvent<T>> {
      const { done, value } = await events.next();
      if (done) throw new Error('The stream is over.');
      return value;
    },
    /** Returns type and name of the next event. */
    async told(): Promise<string> {
      const { type, object } = await this.next();
      return `${type} ${(object as KubeObject).metadata.name}`;
    },
    /** Resolves with whether the stream has ended, once that is known. */
    async isOver(): Promise<boolean> {
      return (await events.next()).done === true;
    },
  };
}

/** Returns whether every part of a value is frozen. */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
