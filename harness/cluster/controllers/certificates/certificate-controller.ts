import type { CertificateSigningRequest } from '../../../api/objects.ts';
import { certificateSigningRequests } from '../../../api/plain-resources.ts';
import type { Component, ComponentContext } from '../../../contracts/component.ts';
import { ItemBackoff } from '../../../contracts/item-backoff.ts';
import { lastKnown } from '../../../contracts/last-known.ts';

/** Handles a request that has no certificate yet. */
type Handle = (request: CertificateSigningRequest, context: ComponentContext) => Promise<void>;

const WORKERS = 5;

/**
 * Creates a controller that handles each CertificateSigningRequest without a certificate, at each change.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/certificates/certificate_controller.go NewCertificateController
 */
export function certificateController(handle: Handle): Component {
  return async (context) => {
    const { informers } = context;
    const rateLimiter = new ItemBackoff({ baseMs: 200, maxMs: 1_000_000 });
    const queue = context.newWorkQueue<string>({ rateLimiter });
    const requests = informers.forResource(certificateSigningRequests);
    const enqueue = ({ metadata }: CertificateSigningRequest): void => queue.add(metadata.name);
    requests.addEventHandler({
      onAdd: enqueue,
      onUpdate: (_old, request) => enqueue(request),
      onDelete: (last) => enqueue(lastKnown(last)),
    });
    informers.start();
    await informers.waitForCacheSync();
    await context.runWorkers({
      queue,
      workers: WORKERS,
      sync: async (name) => {
        const request = requests.indexer.getByKey(name);
        if (request && !request.status.certificate) await handle(request, context);
      },
    });
  };
}

/** Returns whether a condition of this type is set. */
export const hasCondition = ({ status }: CertificateSigningRequest, type: string): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type);

/** Returns the request in PEM. */
export const pemOfRequest = ({ spec }: CertificateSigningRequest): string =>
  Buffer.from(spec.request ?? '', 'base64').toString('latin1');
