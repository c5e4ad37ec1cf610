import { type ApplyOptions, type Json, type ManifestDocument, mappingsOf } from '#given/11-apply';
import { createCluster } from '#harness/testing';
import { apply } from '#kata/11-apply/apply';

export type Report = Awaited<ReturnType<typeof apply>>;

/** An apiserver, and an apply with an administrator's rights. Each value is the document of a file. */
export async function withCluster(
  act: (
    run: (values: readonly Json[], options?: Partial<ApplyOptions>) => Promise<Report>,
    admin: Awaited<ReturnType<typeof createCluster>>['admin'],
  ) => Promise<void>,
): Promise<void> {
  await using cluster = await createCluster();
  const { admin, clock } = cluster;
  const context = { client: admin, clock, mappingOf: mappingsOf() };
  const run = (values: readonly Json[], options: Partial<ApplyOptions> = {}): Promise<Report> => {
    const documents = values.map(
      (value, index): ManifestDocument => ({ source: `${index + 1}.yaml`, value }),
    );
    return apply(context, documents, { namespace: { name: 'default', required: false }, ...options });
  };
  await act(run, admin);
}

/** A ConfigMap without a namespace. */
export const config = (
  name: string,
  data: Readonly<Record<string, string>> = {},
  metadata: object = {},
): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

/** The outcomes, with the names of the objects. */
export const outcomes = ({ applied }: Report): readonly string[] =>
  applied.map(({ key, outcome }) => `${key.name} ${outcome}`);

/** A Deployment. */
export const deployment = (spec: { readonly [field: string]: Json }, image = 'nginx:1'): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'nginx', image }] } },
    ...spec,
  },
});
