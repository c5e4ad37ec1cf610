import * as models from '@kubernetes/client-node/dist/gen/models/all.js';
import { describe, expect, test } from 'vitest';
import { resources } from '../resource.ts';
import { apiTypes, type Field, type Struct } from './table.ts';

const kind = (apiVersion: string, name: string): Struct | undefined => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return apiTypes.kind({ group, version, kind: name });
};

const field = (type: string, name: string): Field | undefined => apiTypes.struct(type)?.properties.get(name);

describe('a field', () => {
  test('has the JSON name, Go type and protobuf number of its struct tag', () => {
    expect(field('apps/v1.DeploymentSpec', 'replicas')).toMatchObject({
      ...{ name: 'replicas', embedded: false, type: '*int32', protobuf: 1, omit: 'empty', optional: true },
      ...{ patchStrategy: undefined, listType: undefined, gate: undefined },
    });
    expect(field('core/v1.ResourceRequirements', 'limits')?.type).toBe('core/v1.ResourceList');
    expect(field('core/v1.ConfigMap', 'binaryData')?.type).toBe('map[string][]uint8');
  });

  test('is omitted when empty, when zero, or never', () => {
    expect(field('core/v1.PodSpec', 'containers')?.omit).toBe('never');
    expect(field('core/v1.PodCondition', 'lastProbeTime')?.omit).toBe('empty');
    expect(field('meta/v1.ObjectMeta', 'creationTimestamp')?.omit).toBe('zero');
  });

  test('can be optional even if it is always printed', () => {
    expect(field('scheduling/v1.PriorityClass', 'value')).toMatchObject({ omit: 'never', optional: true });
    expect(field('core/v1.Container', 'name')).toMatchObject({ omit: 'never', optional: false });
  });

  test('has the merge strategies of patches and server-side apply', () => {
    expect(field('core/v1.PodSpec', 'volumes')).toMatchObject({
      ...{ patchStrategy: 'merge,retainKeys', patchMergeKey: 'name', listType: 'map', listMapKeys: ['name'] },
    });
    expect(field('core/v1.Container', 'ports')).toMatchObject({
      ...{ patchStrategy: 'merge', patchMergeKey: 'containerPort' },
      ...{ listType: 'map', listMapKeys: ['containerPort', 'protocol'] },
    });
    expect(field('core/v1.NodeSpec', 'podCIDRs')).toMatchObject({ patchStrategy: 'merge', listType: 'set' });
    expect(field('core/v1.PodSpec', 'nodeSelector')?.mapType).toBe('atomic');
    expect(field('apps/v1.DeploymentSpec', 'selector')?.mapType).toBe('atomic');
    expect(apiTypes.struct('meta/v1.OwnerReference')?.mapType).toBe('atomic');
    expect(apiTypes.struct('core/v1.Container')?.mapType).toBeUndefined();
  });

  test('has the gate and the default from its declaration', () => {
    expect(field('core/v1.PodSpec', 'schedulingGroup')?.gate).toBe('GenericWorkload');
    expect(field('core/v1.ContainerPort', 'protocol')?.default).toBe('TCP');
    expect(field('core/v1.AzureDiskVolumeSource', 'cachingMode')?.default).toBe('ReadWrite');
    expect(field('autoscaling/v1.ScaleSpec', 'replicas')?.default).toBe(0);
  });

  test('of an embedded struct is inlined in JSON, and is a separate message in protobuf', () => {
    const volume = apiTypes.struct('core/v1.Volume');
    expect(volume?.fields.map(({ name, embedded, protobuf }) => [name, embedded, protobuf])).toEqual([
      ['name', false, 1],
      ['VolumeSource', true, 2],
    ]);
    expect([...(volume?.properties.keys() ?? [])].slice(0, 3)).toEqual(['name', 'hostPath', 'emptyDir']);
    expect(kind('v1', 'Pod')?.fields[0]).toMatchObject({
      name: 'TypeMeta',
      embedded: true,
      protobuf: undefined,
    });
  });
});

describe('a named type', () => {
  test('has an underlying type, and may be an enumeration', () => {
    expect(apiTypes.named('core/v1.PodPhase')).toEqual({
      underlying: 'string',
      enum: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'],
      nullable: false,
    });
    expect(apiTypes.named('certificates/v1.KeyUsage')?.enum).toContain('cert sign');
    expect(apiTypes.named('authorization/v1.ExtraValue')?.underlying).toBe('[]string');
    expect(apiTypes.named('core/v1.ResourceList')).toEqual({
      underlying: 'map[string]resource.Quantity',
      enum: undefined,
      nullable: false,
    });
    expect(apiTypes.named('authentication/v1.ExtraValue')).toMatchObject({
      underlying: '[]string',
      nullable: true,
    });
    expect(apiTypes.named('meta/v1.Time')?.underlying).toBe('custom');
    expect(apiTypes.named('core/v1.Pod')).toBeUndefined();
  });
});

test('a struct has its merge strategy for server-side apply', () => {
  expect(apiTypes.struct('meta/v1.LabelSelector')?.mapType).toBe('atomic');
  expect(apiTypes.struct('core/v1.PodSpec')?.mapType).toBeUndefined();
});

describe('a kind', () => {
  test('is found by its group, version and name', () => {
    expect(kind('v1', 'Pod')?.name).toBe('core/v1.Pod');
    expect(kind('rbac.authorization.k8s.io/v1', 'Role')?.name).toBe('rbac/v1.Role');
    expect(kind('autoscaling/v2', 'HorizontalPodAutoscaler')?.name).toBe(
      'autoscaling/v2.HorizontalPodAutoscaler',
    );
    expect(kind('apps/v1', 'DeploymentList')?.properties.get('items')?.type).toBe('[]apps/v1.Deployment');
  });

  test('is neither any other struct nor an inherited property of JavaScript objects', () => {
    for (const name of ['PodSpec', 'constructor', '__proto__']) expect(kind('v1', name)).toBeUndefined();
    expect(kind('apps/v1', 'Pod')).toBeUndefined();
    expect(kind('constructor', 'Pod')).toBeUndefined();
  });

  test('exists with its scope for each resource of the apiserver', () => {
    for (const { group, version, kind, namespaced } of resources) {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      const home = Object.values(apiTypes.table.packages).find((one) => one.apiVersion === apiVersion);
      expect([kind, home?.kinds?.[kind]]).toEqual([kind, namespaced ? 'Namespaced' : 'Cluster']);
    }
  });
});

test('each type of a field is in the table', () => {
  const packages = Object.entries(apiTypes.table.packages);
  const fields = packages.flatMap(([home, { structs }]) =>
    Object.keys(structs).flatMap((name) => apiTypes.struct(`${home}.${name}`)?.fields ?? []),
  );
  expect(fields.length).toBeGreaterThan(2_400);
  for (const { type } of fields) {
    const name = type.replace(/^(\*|\[\]|map\[string\])*/, '');
    if (name.includes('.')) expect(apiTypes.struct(name) ?? apiTypes.named(name), name).toBeDefined();
  }
});

describe('the table and @kubernetes/client-node', () => {
  /** The models of client-node are generated from the OpenAPI document of Kubernetes 1.34. */
  interface Model {
    getAttributeTypeMap(): readonly {
      readonly baseName: string;
      readonly type: string;
      readonly format: string;
    }[];
  }
  const groups: Readonly<Record<string, string>> = { rbac: 'Rbac', meta: 'V1' };
  const modelOf = (home: string, name: string): Model | undefined => {
    const [group = '', version = ''] = home.split('/');
    const prefix = groups[group] ?? group.charAt(0).toUpperCase() + group.slice(1);
    const all = models as unknown as Record<string, Model>;
    return all[`${prefix}${version.toUpperCase()}${name}`] ?? all[`${version.toUpperCase()}${name}`];
  };

  /** Returns the name of a Go type in client-node. */
  const wordsOf = (type: string): string => {
    if (type.startsWith('*')) return wordsOf(type.slice(1));
    if (type === '[]uint8') return 'string byte';
    if (type.startsWith('[]')) return `[${wordsOf(type.slice(2))}]`;
    if (type.startsWith('map[string]')) return `{${wordsOf(type.slice('map[string]'.length))}}`;
    const itself = itselves[type];
    if (itself !== undefined) return itself;
    const named = apiTypes.named(type);
    return named === undefined ? type.slice(type.lastIndexOf('.') + 1) : wordsOf(named.underlying);
  };
  const itselves: Readonly<Record<string, string>> = {
    bool: 'boolean',
    int32: 'number int32',
    int64: 'number int64',
    float64: 'number double',
    uint16: 'number int32',
    string: 'string',
    'resource.Quantity': 'string',
    'intstr.IntOrString': 'IntOrString int-or-string',
    'meta/v1.Time': 'Date date-time',
    'meta/v1.MicroTime': 'MicroTime date-time-micro',
    'meta/v1.FieldsV1': 'any',
    'runtime.RawExtension': 'any',
    'apiextensions/v1.CustomResourceSubresourceStatus': 'any',
    'apiextensions/v1.JSON': 'any',
    'apiextensions/v1.JSONSchemaPropsOrArray': 'any',
    'apiextensions/v1.JSONSchemaPropsOrBool': 'any',
    'apiextensions/v1.JSONSchemaPropsOrStringArray': 'any',
  };
  const wordsOfModel = (type: string, format: string): string => {
    const [, item] = /^Array<(.*)>$/.exec(type) ?? [];
    if (item !== undefined) return `[${wordsOfModel(item, format)}]`;
    const [, value] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? [];
    if (value !== undefined) return `{${wordsOfModel(value, format)}}`;
    const name = type.replace(
      /^(?:Core|Events|Discovery|Flowcontrol|Rbac|Resource|Storage|Authentication|Admissionregistration|Apiextensions|Apiregistration)?V[12](?=[A-Z])/,
      '',
    );
    return format === '' ? name : `${name} ${format}`;
  };

  const structs = Object.entries(apiTypes.table.packages).flatMap(([home, { structs }]) =>
    Object.keys(structs).map((name) => [home, name] as const),
  );

  test('agree on every field that both have', () => {
    const differences: string[] = [];
    let compared = 0;
    for (const [home, name] of structs) {
      const known = new Map(
        modelOf(home, name)
          ?.getAttributeTypeMap()
          .map((one) => [one.baseName, one]),
      );
      for (const one of apiTypes.struct(`${home}.${name}`)?.properties.values() ?? []) {
        const other = known.get(one.name);
        if (other === undefined) continue;
        compared++;
        const [ours, theirs] = [wordsOf(one.type), wordsOfModel(other.type, other.format)];
        if (ours !== theirs) differences.push(`${home}.${name}.${one.name}: ${ours}, ${theirs}`);
      }
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(2_000);
  });

  test('differ in the fields that were added and removed between 1.34 and the release of the table', () => {
    const came: string[] = [];
    const went: string[] = [];
    for (const [home, name] of structs) {
      const model = modelOf(home, name);
      const properties = apiTypes.struct(`${home}.${name}`)?.properties;
      if (model === undefined || properties === undefined) continue;
      const names = model.getAttributeTypeMap().map(({ baseName }) => baseName);
      for (const one of properties.keys()) if (!names.includes(one)) came.push(`${home}.${name}.${one}`);
      for (const one of names) if (!properties.has(one)) went.push(`${home}.${name}.${one}`);
    }
    expect(came).toEqual([
      'apiextensions/v1.CustomResourceDefinitionCondition.observedGeneration',
      'apiextensions/v1.CustomResourceDefinitionStatus.observedGeneration',
      'core/v1.NodeStatus.declaredFeatures',
      'core/v1.PodCertificateProjection.userAnnotations',
      'core/v1.PodSpec.schedulingGroup',
      'core/v1.PodStatus.allocatedResources',
      'core/v1.PodStatus.resources',
      'core/v1.PodStatus.nodeAllocatableResourceClaimStatuses',
      'core/v1.ResourceHealth.message',
      'core/v1.VolumeMountStatus.volumeStatus',
      'meta/v1.ListMeta.shardInfo',
      'resource/v1.Device.nodeAllocatableResourceMappings',
      'resource/v1.DeviceAttribute.ints',
      'resource/v1.DeviceAttribute.bools',
      'resource/v1.DeviceAttribute.strings',
      'resource/v1.DeviceAttribute.versions',
      'storage/v1.CSIDriverSpec.serviceAccountTokenInSecrets',
      'storage/v1.CSIDriverSpec.preventPodSchedulingIfMissing',
    ]);
    expect(went).toEqual([]);
  });
});
