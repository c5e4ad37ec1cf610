import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from '../api/plain-resources.ts';
import type { AdmissionContext, WebhookTransport } from '../contracts/admission/index.ts';
import type { Clock } from '../sim/index.ts';
import type { RequestStep, WebhookStep } from './request-steps.ts';

/**
 * The requests that are being admitted, by the options in their attributes: a review carries the same object to a
 * webhook.
 */
export type Admitting = WeakMap<object, (step: RequestStep) => void>;

/** Dependencies of {@link observedWebhooks}. */
interface ObservedWebhooksOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly cache: AdmissionContext['cache'];
  readonly admitting: Admitting;
}

/** Returns a transport that reports each call to the observer of the request that causes it. */
export function observedWebhooks(
  transport: WebhookTransport,
  { clock, cache, admitting }: ObservedWebhooksOptions,
): WebhookTransport {
  return {
    ...transport,
    async send(config, review, options) {
      const onStep = admitting.get(review.request?.options ?? {});
      if (!onStep) return transport.send(config, review, options);
      const sentMs = clock.now();
      const call = { step: 'webhook', ...webhookOf(config, cache) } as const;
      try {
        const answer = await transport.send(config, review, options);
        onStep({ ...call, tookMs: clock.now() - sentMs, answer });
        return answer;
      } catch (error) {
        onStep({
          ...call,
          tookMs: clock.now() - sentMs,
          error: error instanceof Error ? error.message : `${error}`,
        });
        throw error;
      }
    },
  };
}

/** Finds the webhook that has this very client configuration. */
function webhookOf(
  config: Parameters<WebhookTransport['send']>[0],
  cache: AdmissionContext['cache'],
): Pick<WebhookStep, 'webhook' | 'phase'> {
  const phases = {
    mutating: cache.list(mutatingWebhookConfigurations),
    validating: cache.list(validatingWebhookConfigurations),
  };
  for (const phase of ['mutating', 'validating'] as const) {
    for (const { metadata, webhooks = [] } of phases[phase]) {
      const found = webhooks.find(({ clientConfig }) => clientConfig === config);
      if (found) return { phase, webhook: { configuration: metadata.name, name: found.name } };
    }
  }
  return { phase: 'mutating' };
}
