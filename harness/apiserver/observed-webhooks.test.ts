import { describe, expect, test } from 'vitest';
import type { ConfigMap, Namespace, New } from '../api/objects.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from '../api/plain-resources.ts';
import { configMaps, namespaces } from '../api/resource.ts';
import type { AdmissionReview } from '../contracts/admission/index.ts';
import type { Components } from '../contracts/component.ts';
import { Simulation } from '../sim/index.ts';
import { ApiServer } from './apiserver.ts';
import type { RequestStep } from './request-steps.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** A configuration with one webhook for the creates of ConfigMaps, at this path of a service. */
const configuration = (path: string) =>
  ({
    metadata: { name: `of-${path}` },
    webhooks: [
      {
        name: `${path}.example.com`,
        clientConfig: { service: { namespace: 'hooks', name: 'hook', path: `/${path}` } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        failurePolicy: 'Ignore',
      },
    ],
  }) as never;

/** An apiserver with webhooks that answer 30 ms later: `allow`, `deny`, `fail`. */
async function observed(...paths: readonly string[]) {
  const sim = new Simulation({ seed: 1 });
  const steps = new Map<string, RequestStep[]>();
  const server = new ApiServer({
    clock: sim.clock,
    random: sim.random,
    admission: components.admission,
    observe: (attributes, _, request) => {
      if (attributes.verb !== 'create' || request.verb !== 'create') return undefined;
      const own: RequestStep[] = [];
      steps.set(request.object.metadata.name ?? '', own);
      return (step) => own.push(step);
    },
    webhooks: {
      async send({ service }, { request }: AdmissionReview) {
        await sim.clock.sleep(30);
        if (service?.path === '/fail') throw new Error('Post "https://hook": EOF');
        const allowed = service?.path === '/allow';
        return {
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          response: { uid: request?.uid, allowed, ...(!allowed && { status: { message: 'no' } }) },
        };
      },
    },
  });
  const jane = server.as('jane');
  const settled = <T>(promise: Promise<T>) => sim.settle(promise);
  await settled(jane.create(namespaces, { metadata: { name: 'default' } } as New<Namespace>));
  for (const path of paths) {
    await settled(jane.create(validatingWebhookConfigurations, configuration(path)));
  }
  await settled(jane.create(mutatingWebhookConfigurations, configuration('allow')));
  const create = (name: string): Promise<unknown> => {
    const object = { metadata: { namespace: 'default', name } } as New<ConfigMap>;
    return jane.create(configMaps, object).catch((error: unknown) => error);
  };
  return { create, settled, stepsOf: (name: string) => steps.get(name) ?? [] };
}

describe('The observer of a request', () => {
  test('sees each call of a webhook, with its phase, its time and its answer', async () => {
    const { create, settled, stepsOf } = await observed('deny', 'fail');
    await settled(create('a'));
    const calls = stepsOf('a').filter(({ step }) => step === 'webhook');
    const webhook = (path: string) => ({ configuration: `of-${path}`, name: `${path}.example.com` });
    expect(calls).toHaveLength(3);
    expect(calls[0]).toMatchObject({
      ...{ phase: 'mutating', webhook: webhook('allow'), tookMs: 30 },
      answer: { response: { allowed: true } },
    });
    expect(calls).toContainEqual(
      expect.objectContaining({
        phase: 'validating',
        webhook: webhook('fail'),
        error: 'Post "https://hook": EOF',
      }),
    );
    expect(calls).toContainEqual(
      expect.objectContaining({
        webhook: webhook('deny'),
        answer: expect.objectContaining({ response: expect.objectContaining({ allowed: false }) }),
      }),
    );
    expect(stepsOf('a').at(-1)).toMatchObject({ step: 'refused' });
    const begun = stepsOf('a').flatMap((step) => (step.step === 'admission begins' ? [step.phase] : []));
    expect(begun).toEqual(['mutating', 'validating']);
  });

  test('sees only the calls of its own request', async () => {
    const { create, settled, stepsOf } = await observed();
    await settled(Promise.all([create('a'), create('b')]));
    for (const name of ['a', 'b']) {
      expect(stepsOf(name).filter(({ step }) => step === 'webhook')).toHaveLength(1);
    }
  });
});
