import { configMaps, deployments, pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, present } from '../expectation.ts';
import type { Session } from '../session.ts';
import { named, pod, replicated } from './manifests.ts';

const list = from('kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GetList');
const selector = from('kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go Requirement.Matches');
const parser = from('kubernetes/apimachinery@v0.36.3 pkg/labels/selector.go Parser.parse');
const fields = from(
  'kubernetes/apimachinery@v0.36.3 pkg/runtime/conversion.go DefaultMetaV1FieldSelectorConversion',
);
const podFields = from('kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go ToSelectableFields');
const token = from('kubernetes/apiserver@v0.36.3 pkg/storage/continue.go DecodeContinue');
const listOptions = from(
  'kubernetes/apimachinery@v0.36.3 pkg/apis/meta/internalversion/validation/validation.go ValidateListOptions',
);

/** Labels of the objects that the selectors of the table select from. */
const LABELLED = { a: { app: 'web', tier: 'front' }, b: { app: 'web' }, c: { app: 'db', n: '7' } };

async function makeLabelled(api: Session): Promise<void> {
  for (const [name, labels] of Object.entries(LABELLED)) await api.made(configMaps, named(name, { labels }));
}

/** Selectors, and the names that each selects. */
const SELECTED: readonly (readonly [selector: string, ...names: string[]])[] = [
  ['app=web', 'a', 'b'],
  ['app==web,tier=front', 'a'],
  ['app!=web,app', 'c'],
  ['app in (web,db)', 'a', 'b', 'c'],
  ['app notin (web),app', 'c'],
  ['tier', 'a'],
  ['app,!tier', 'b', 'c'],
  ['n>6', 'c'],
];

/** Listing objects. */
export const lists = area(
  'Lists',
  SELECTED.map(([labelSelector, ...expected]) =>
    selector(`The label selector ${labelSelector} selects ${expected.join(', ')}`, async (api) => {
      await makeLabelled(api);
      await api
        .list(configMaps, { labelSelector })
        .answers(200, { items: expected.map((name) => ({ metadata: { name } })) });
    }),
  ),
  parser('A label selector that cannot be parsed is rejected', async (api) => {
    await api
      .list(configMaps, { labelSelector: 'app in web' })
      .refused(400, /unable to parse requirement: /, { reason: 'BadRequest' });
  }),
  fields('The field selector metadata.name selects one object', async (api) => {
    await makeLabelled(api);
    await api
      .list(configMaps, { fieldSelector: 'metadata.name=b' })
      .answers(200, { kind: 'ConfigMapList', items: [{ metadata: { name: 'b' } }] });
  }),
  fields('A field selector with another field is rejected', async (api) => {
    await api
      .list(configMaps, { fieldSelector: 'data.k=v' })
      .refused(400, /"data\.k" is not a known field selector: only "metadata\.name", "metadata\.namespace"/);
  }),
  podFields('Pods are selected by their node', async (api) => {
    const node = api.unique('none');
    await api.made(pods, pod('a', { spec: { nodeName: node, terminationGracePeriodSeconds: 0 } }));
    await api.made(pods, pod('b', { spec: { schedulerName: 'nobody' } }));
    await api
      .list(pods, { fieldSelector: `spec.nodeName=${node}` })
      .answers(200, { items: [{ metadata: { name: 'a' } }] });
    await api
      .list(pods, { fieldSelector: 'spec.nodeName=,status.phase=Pending' })
      .answers(200, { items: [{ metadata: { name: 'b' } }] });
  }),
  list('A list has a resource version, and its items have no kind', async (api) => {
    await api.made(deployments, replicated('web', { replicas: 0 }));
    await api.list(deployments).answers(200, {
      kind: 'DeploymentList',
      apiVersion: 'apps/v1',
      metadata: { resourceVersion: /^\d+$/, continue: absent },
      items: [{ kind: absent, apiVersion: absent, metadata: { name: 'web' } }],
    });
  }),
  list('An empty list has an empty array', (api) =>
    api
      .list(deployments)
      .answers(200, { items: [] })
      .then(() => {}),
  ),
  list('A list with a limit comes in pages of one version', async (api) => {
    for (const name of ['a', 'b', 'c']) await api.made(deployments, replicated(name, { replicas: 0 }));
    const first = await api.list(deployments, { limit: 2 }).answers(200, {
      metadata: { continue: present, remainingItemCount: 1 },
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
    });
    await api.made(deployments, replicated('d', { replicas: 0 }));
    await api.list(deployments, { limit: 2, continue: first.at('metadata.continue') }).answers(200, {
      metadata: { resourceVersion: first.at('metadata.resourceVersion'), continue: absent },
      items: [{ metadata: { name: 'c' } }],
    });
  }),
  list('A page of selected objects has no count of the remaining ones', async (api) => {
    await makeLabelled(api);
    await api
      .list(configMaps, { limit: 1, labelSelector: 'app=web' })
      .answers(200, { metadata: { continue: present, remainingItemCount: absent } });
  }),
  token('A continue token that the server did not issue is rejected', async (api) => {
    await api
      .list(configMaps, { limit: 1, continue: 'nonsense' })
      .refused(400, /^invalid continue token: continue key is not valid: /, { reason: 'BadRequest' });
  }),
  listOptions('resourceVersionMatch without a resource version is invalid', async (api) => {
    await api
      .list(configMaps, { resourceVersionMatch: 'Exact' })
      .refused(
        422,
        /resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided/,
      );
  }),
  list('A list at an exact version shows the objects of that version', async (api) => {
    const made = await api.made(configMaps, { ...named('a'), data: { k: 'old' } });
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'new' } }).answers(200);
    const resourceVersion = made.at('metadata.resourceVersion');
    await api
      .list(configMaps, { resourceVersion, resourceVersionMatch: 'Exact', fieldSelector: 'metadata.name=a' })
      .answers(200, { metadata: { resourceVersion }, items: [{ data: { k: 'old' } }] });
  }),
  from('kubernetes/apiserver@v0.36.3 pkg/storage/errors.go NewTooLargeResourceVersionError')(
    'A resource version of the future is rejected',
    async (api) => {
      const resourceVersion = '900000000000';
      await api
        .list(configMaps, { resourceVersion, resourceVersionMatch: 'NotOlderThan' })
        .refused(504, /^Timeout: Too large resource version: 900000000000, current: \d+$/, {
          reason: 'Timeout',
          details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
        });
    },
  ),
);
