import { configMaps, deployments, namespaces, pods, secrets } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, present } from '../expectation.ts';
import { deployment, named, pod } from './manifests.ts';

const create = from('kubernetes/apiserver@v0.36.3 pkg/registry/rest/create.go BeforeCreate');
const generate = from(
  'kubernetes/apiserver@v0.36.3 pkg/storage/names/generate.go simpleNameGenerator.GenerateName',
);
const store = from('kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.Create');
const update = from('kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go Store.Update');
const put = from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/update.go UpdateResource');
const decode = from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/create.go createHandler');
const options = from(
  'kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidateDryRun',
);
const generation = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/strategy.go deploymentStrategy',
);
const configMap = from(
  'kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateConfigMapUpdate',
);

/** The message of a conflict, after its subject. */
const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Creating, reading and updating objects. */
export const objects = area(
  'Objects',
  create('A created object gets a UID, a time, a resource version and its namespace', async (api) => {
    const { body } = await api.create(configMaps, { ...named('a'), data: { k: 'v' } }).answers(201, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: api.namespace,
        uid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        resourceVersion: /^[1-9]\d*$/,
        creationTimestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
        generation: absent,
      },
      data: { k: 'v' },
    });
    await api.get(configMaps, 'a').answers(200, body);
  }),
  create('A UID and a creation time from the client are replaced', async (api) => {
    const metadata = { name: 'a', uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z' };
    await api
      .create(configMaps, { metadata })
      .answers(201, { metadata: { uid: /^[0-9a-f-]{36}$/, creationTimestamp: /^20[^0]/ } });
  }),
  store('A second object of the same name is rejected', async (api) => {
    await api.made(configMaps, named('a'));
    await api.create(configMaps, named('a')).refused(409, 'configmaps "a" already exists', {
      reason: 'AlreadyExists',
      details: { name: 'a', kind: 'configmaps' },
    });
  }),
  generate('generateName gets five characters that spell no word', async (api) => {
    await api
      .create(configMaps, { metadata: { generateName: 'web-' } })
      .answers(201, { metadata: { generateName: 'web-', name: /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/ } });
  }),
  generate('generateName is cut to 58 characters', async (api) => {
    const generateName = 'n'.repeat(70);
    await api.create(pods, { ...pod('x'), metadata: { generateName } }).answers(201, {
      metadata: { name: /^n{58}[a-z0-9]{5}$/ },
    });
  }),
  create('An object without a name is rejected', async (api) => {
    await api
      .create(configMaps, { metadata: {} })
      .refused(422, /metadata\.name: Required value: name or generateName is required/, {
        reason: 'Invalid',
      });
  }),
  create('An object for another namespace is rejected', async (api) => {
    await api
      .create(configMaps, { metadata: { name: 'a', namespace: 'default' } })
      .refused(400, 'the namespace of the provided object does not match the namespace sent on the request', {
        reason: 'BadRequest',
      });
  }),
  from('kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit')(
    'An object in a namespace that does not exist is rejected',
    async (api) => {
      const path = '/api/v1/namespaces/parity-nowhere/configmaps';
      const body = { apiVersion: 'v1', kind: 'ConfigMap', ...named('a') };
      await api
        .raw('POST', path, { body })
        .refused(404, 'namespaces "parity-nowhere" not found', { reason: 'NotFound' });
    },
  ),
  store('A resource version on a new object is rejected', async (api) => {
    await api
      .create(configMaps, { metadata: { name: 'a', resourceVersion: '1' } })
      .refused(500, 'resourceVersion should not be set on objects to be created');
  }),
  store('An object that does not exist is not found', async (api) => {
    await api.get(configMaps, 'a').refused(404, 'configmaps "a" not found', {
      reason: 'NotFound',
      details: { name: 'a', kind: 'configmaps' },
    });
  }),
  update('An update with an old resource version conflicts', async (api) => {
    const old = (await api.made(configMaps, named('a'))).at('metadata.resourceVersion');
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'new' } }).answers(200);
    await api
      .update(configMaps, 'a', { metadata: { name: 'a', resourceVersion: old }, data: { k: 'late' } })
      .refused(409, `Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`, { reason: 'Conflict' });
    await api.get(configMaps, 'a').answers(200, { data: { k: 'new' } });
  }),
  update('An update without a resource version replaces the newest object', async (api) => {
    await api.made(configMaps, { ...named('a'), data: { k: 'v', l: 'w' } });
    await api.update(configMaps, 'a', { ...named('a'), data: { k: 'x' } }).answers(200, {
      data: { k: 'x', l: absent },
    });
  }),
  update('An update of an object that does not exist is rejected', async (api) => {
    await api.update(configMaps, 'a', named('a')).refused(404, 'configmaps "a" not found');
  }),
  update('An update that changes nothing keeps the resource version', async (api) => {
    const made = await api.made(configMaps, { ...named('a'), data: { k: 'v' } });
    await api
      .update(configMaps, 'a', { ...named('a'), data: { k: 'v' } })
      .answers(200, { metadata: { resourceVersion: made.at('metadata.resourceVersion') } });
  }),
  put('An update with another name in its body is rejected', async (api) => {
    await api.made(configMaps, named('a'));
    await api
      .update(configMaps, 'a', named('b'))
      .refused(400, 'the name of the object (b) does not match the name on the URL (a)');
  }),
  update('An update with another UID conflicts', async (api) => {
    await api.made(configMaps, named('a'));
    const uid = '00000000-0000-0000-0000-000000000000';
    await api
      .update(configMaps, 'a', { metadata: { name: 'a', uid } })
      .refused(409, /Precondition failed: UID in precondition: 00000000-.*, UID in object meta: /, {
        reason: 'Conflict',
      });
  }),
  from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go patcher.patchResource')(
    'A patch with another UID is invalid',
    async (api) => {
      await api.made(configMaps, named('a'));
      const uid = '00000000-0000-0000-0000-000000000000';
      await api
        .patch(configMaps, 'a', 'merge', { metadata: { uid } })
        .refused(422, /metadata\.uid: Invalid value: "00000000-.*": field is immutable/, {
          reason: 'Invalid',
        });
    },
  ),
  from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/rest.go dedupOwnerReferencesAndAddWarning')(
    'Duplicate owner references are stored once, with a warning',
    async (api) => {
      const owner = (await api.made(configMaps, named('owner'))).at('metadata.uid');
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner };
      const { headers } = await api
        .create(configMaps, named('a', { ownerReferences: [reference, reference] }))
        .answers(201, { metadata: { ownerReferences: [reference] } });
      const text =
        /^299 - "\.metadata\.ownerReferences contains duplicate entries; API server dedups owner references/;
      api.expect('the Warning header', headers.get('warning'), text);
    },
  ),
  configMap('An immutable ConfigMap keeps its data', async (api) => {
    await api.made(configMaps, { ...named('a'), immutable: true, data: { k: 'v' } });
    await api
      .patch(configMaps, 'a', 'merge', { data: { k: 'w' } })
      .refused(422, /data: Forbidden: field is immutable when `immutable` is set/);
    await api
      .patch(configMaps, 'a', 'merge', { immutable: false })
      .refused(422, /immutable: Forbidden: field is immutable when `immutable` is set/);
  }),
  generation('The generation counts changes of the spec, not of labels', async (api) => {
    await api
      .create(deployments, deployment('web', { replicas: 0 }))
      .answers(201, { metadata: { generation: 1 } });
    await api
      .patch(deployments, 'web', 'merge', { metadata: { labels: { a: 'b' } } })
      .answers(200, { metadata: { generation: 1 } });
    await api
      .patch(deployments, 'web', 'merge', { spec: { minReadySeconds: 1 } })
      .answers(200, { metadata: { generation: 2 } });
  }),
  from('kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret')(
    'stringData of a Secret is encoded into its data',
    async (api) => {
      const secret = { ...named('a'), data: { k: 'b2xk', l: 'bA==' }, stringData: { k: 'new' } };
      await api
        .create(secrets, secret)
        .answers(201, { data: { k: 'bmV3', l: 'bA==' }, stringData: absent, type: 'Opaque' });
    },
  ),
  options('A dry run of a create returns the object and stores nothing', async (api) => {
    await api
      .create(configMaps, named('a'), { dryRun: 'All' })
      .answers(201, { metadata: { name: 'a', uid: present } });
    await api.get(configMaps, 'a').refused(404, 'configmaps "a" not found');
  }),
  options('A dry run of an update changes nothing', async (api) => {
    await api.made(configMaps, { ...named('a'), data: { k: 'v' } });
    await api
      .patch(configMaps, 'a', 'merge', { data: { k: 'w' } }, { dryRun: 'All' })
      .answers(200, { data: { k: 'w' } });
    await api.get(configMaps, 'a').answers(200, { data: { k: 'v' } });
  }),
  options('A dry run of a delete deletes nothing', async (api) => {
    await api.made(configMaps, named('a'));
    await api.delete(configMaps, 'a', { dryRun: ['All'] }).answers(200, { status: 'Success' });
    await api.get(configMaps, 'a').answers(200, { metadata: { deletionTimestamp: absent } });
  }),
  options('A dry run of another kind is invalid', async (api) => {
    await api
      .create(configMaps, named('a'), { dryRun: 'Some' })
      .refused(422, /dryRun: Unsupported value: \["Some"\]: supported values: "All"/);
  }),
  decode('Strict validation rejects unknown and duplicate fields', async (api) => {
    const unknown = { ...named('a'), dta: {} };
    await api
      .create(configMaps, unknown, { fieldValidation: 'Strict' })
      .refused(400, /strict decoding error: unknown field "dta"/, { reason: 'BadRequest' });
    const body =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v"},"data":{"k":"v"}}';
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/configmaps', { body, query: { fieldValidation: 'Strict' } })
      .refused(400, /strict decoding error: duplicate field "data"/);
  }),
  decode('An unknown field causes a warning by default', async (api) => {
    const { headers } = await api
      .create(configMaps, { ...named('a'), dta: {} })
      .answers(201, { dta: absent });
    api.expect('the Warning header', headers.get('warning'), '299 - "unknown field \\"dta\\""');
  }),
  decode('An unknown field causes no warning if the client ignores it', async (api) => {
    const query = { fieldValidation: 'Ignore' };
    const { headers } = await api.create(configMaps, { ...named('a'), dta: {} }, query).answers(201);
    api.expect('the Warning header', headers.get('warning'), null);
  }),
  decode('A body of another kind is rejected', async (api) => {
    await api
      .create(configMaps, { apiVersion: 'v1', kind: 'Secret', ...named('a') })
      .refused(400, /Secret in version "v1" cannot be handled as a ConfigMap/);
  }),
  decode('A body that is not JSON is rejected', async (api) => {
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/configmaps', { body: '{"metadata":' })
      .refused(400, /unexpected (end|EOF)/i, { reason: 'BadRequest' });
  }),
  from('kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit')(
    'The namespace default cannot be deleted',
    async (api) => {
      await api
        .delete(namespaces, 'default', {}, { dryRun: 'All' })
        .refused(403, /namespaces "default" is forbidden: this namespace may not be deleted/, {
          reason: 'Forbidden',
        });
    },
  ),
);
