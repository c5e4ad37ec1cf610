import { configMaps, deployments, services } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has, lacks } from '../expectation.ts';
import { named, replicated, service } from './manifests.ts';

const apply = from('kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go applyPatcher');
const conflict = from(
  'kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/conflict.go NewConflictError',
);
const merge = from('kubernetes-sigs/structured-merge-diff@v6.3.3 merge/update.go Updater.Apply');
const options = from(
  'kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidatePatchOptions',
);
const managers = from(
  'kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/managedfieldsupdater.go managedFieldsUpdater',
);

const by = (fieldManager: string) => ({ fieldManager });
const data = (values: object) => ({ ...named('a'), data: values });

/** Server-side apply. */
export const applies = area(
  'Apply',
  apply('Applying creates an object, and applying it again changes nothing', async (api) => {
    const first = await api.apply(configMaps, data({ k: 'v' }), by('me')).answers(201, {
      data: { k: 'v' },
      metadata: {
        managedFields: [
          {
            manager: 'me',
            operation: 'Apply',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:k': {} } },
          },
        ],
      },
    });
    const resourceVersion = first.at('metadata.resourceVersion');
    await api.apply(configMaps, data({ k: 'v' }), by('me')).answers(200, { metadata: { resourceVersion } });
  }),
  conflict('A field of another manager conflicts', async (api) => {
    await api.apply(configMaps, data({ k: 'v' }), by('me')).answers(201);
    await api
      .apply(configMaps, data({ k: 'w' }), by('you'))
      .refused(409, 'Apply failed with 1 conflict: conflict with "me": .data.k', {
        reason: 'Conflict',
        details: {
          causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "me"', field: '.data.k' }],
        },
      });
  }),
  conflict('Conflicts with an updater name its API version', async (api) => {
    await api.create(configMaps, data({ k: 'v' }), by('editor')).answers(201);
    await api
      .apply(configMaps, data({ k: 'w' }), by('me'))
      .refused(409, /^Apply failed with 1 conflict: conflict with "editor" using v1( at .*)?: \.data\.k$/);
  }),
  conflict('Several conflicts are listed', async (api) => {
    await api.apply(configMaps, data({ k: 'v', l: 'v' }), by('me')).answers(201);
    await api
      .apply(configMaps, data({ k: 'w', l: 'w' }), by('you'))
      .refused(409, 'Apply failed with 2 conflicts: conflicts with "me":\n- .data.k\n- .data.l');
  }),
  merge('A forced apply takes a field over', async (api) => {
    await api.apply(configMaps, data({ k: 'v', l: 'v' }), by('me')).answers(201);
    await api.apply(configMaps, data({ k: 'w' }), { ...by('you'), force: true }).answers(200, {
      data: { k: 'w', l: 'v' },
      metadata: {
        managedFields: has(
          { manager: 'you', fieldsV1: { 'f:data': { 'f:k': {} } } },
          { manager: 'me', fieldsV1: { 'f:data': { 'f:k': absent, 'f:l': {} } } },
        ),
      },
    });
  }),
  merge('A field with the same value gets a second owner', async (api) => {
    await api.apply(configMaps, data({ k: 'v' }), by('me')).answers(201);
    await api.apply(configMaps, data({ k: 'v' }), by('you')).answers(200);
    await api.apply(configMaps, data({}), by('me')).answers(200, { data: { k: 'v' } });
    await api.apply(configMaps, data({}), by('you')).answers(200, { data: absent });
  }),
  merge('A field that its only manager omits is removed', async (api) => {
    await api.apply(configMaps, data({ k: 'v', l: 'v' }), by('me')).answers(201);
    await api.apply(configMaps, data({ l: 'v' }), by('me')).answers(200, { data: { k: absent, l: 'v' } });
  }),
  merge('An update takes a changed field from its applier', async (api) => {
    await api.apply(configMaps, data({ k: 'v' }), by('me')).answers(201);
    await api.patch(configMaps, 'a', 'merge', { data: { k: 'w' } }, by('editor')).answers(200, {
      metadata: {
        managedFields: has({ manager: 'editor', operation: 'Update', fieldsV1: { 'f:data': { 'f:k': {} } } }),
      },
    });
    await api.apply(configMaps, data({}), by('me')).answers(200, { data: { k: 'w' } });
  }),
  merge('Containers are merged by name, and each manager owns its own', async (api) => {
    const template = (container: object) => ({
      ...named('web'),
      spec: { template: { spec: { containers: [container] } } },
    });
    await api.apply(deployments, replicated('web', { replicas: 0 }), by('me')).answers(201);
    const side = { name: 'side', image: 'nginx:1.25' };
    await api
      .apply(deployments, template(side), by('you'))
      .answers(200, { spec: { template: { spec: { containers: [{ name: 'main' }, { name: 'side' }] } } } });
    await api
      .apply(deployments, replicated('web', { replicas: 0 }), by('me'))
      .answers(200, { spec: { template: { spec: { containers: has({ name: 'side' }) } } } });
    await api
      .apply(deployments, { ...named('web'), spec: {} }, by('you'))
      .answers(200, { spec: { template: { spec: { containers: lacks({ name: 'side' }) } } } });
  }),
  merge('Ports of a Service are merged by number and protocol', async (api) => {
    const ports = (...list: object[]) => service('a', { ports: list });
    await api.apply(services, ports({ name: 'x', port: 80, protocol: 'TCP' }), by('me')).answers(201);
    await api.apply(services, ports({ name: 'y', port: 80, protocol: 'UDP' }), by('you')).answers(200, {
      spec: {
        ports: [
          { name: 'x', protocol: 'TCP' },
          { name: 'y', protocol: 'UDP' },
        ],
      },
    });
  }),
  merge('Finalizers are merged as a set', async (api) => {
    const finalized = (name: string) => named('a', { finalizers: [name] });
    await api.apply(configMaps, finalized('example.com/f'), by('me')).answers(201);
    await api
      .apply(configMaps, finalized('example.com/g'), by('you'))
      .answers(200, { metadata: { finalizers: ['example.com/f', 'example.com/g'] } });
    await api.patch(configMaps, 'a', 'merge', { metadata: { finalizers: null } }).answers(200);
  }),
  managers('Fields of the status belong to a manager of their own', async (api) => {
    await api.apply(deployments, replicated('web', { replicas: 0 }), by('me')).answers(201);
    const status = {
      ...named('web'),
      status: { conditions: [{ type: 'Mine', status: 'True', reason: 'R', message: 'm' }] },
    };
    await api.patch(deployments, 'web/status', 'apply', status, by('me')).answers(200, {
      metadata: { managedFields: has({ manager: 'me', subresource: 'status', operation: 'Apply' }) },
    });
  }),
  options('Applying without a field manager is invalid', async (api) => {
    await api
      .apply(configMaps, data({}), {})
      .refused(422, /fieldManager: Required value: is required for apply patch/);
  }),
  options('force is only valid for an apply', async (api) => {
    await api.made(configMaps, named('a'));
    await api
      .patch(configMaps, 'a', 'merge', {}, { force: true })
      .refused(422, /force: Forbidden: may not be specified for non-apply patch/);
  }),
  apply('A configuration with managedFields is rejected', async (api) => {
    const body = {
      ...named('a', {
        managedFields: [
          { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
        ],
      }),
    };
    await api
      .apply(configMaps, body, by('me'))
      .refused(400, 'metadata.managedFields must be nil', { reason: 'BadRequest' });
  }),
  apply('A configuration with an unknown field is rejected', async (api) => {
    const body = { ...replicated('web', { replicas: 0 }), specs: {} };
    await api.apply(deployments, body, by('me')).refused(500, /specs: field not declared in schema/);
  }),
);
