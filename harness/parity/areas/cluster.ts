import { leases, nodes, pods } from '../../api/resource.ts';
import { area, from } from '../behaviour.ts';
import { absent, has, oneOf, present } from '../expectation.ts';
import { named, pod } from './manifests.ts';
import { ownNode, podFor } from './steps.ts';

const recorder = from('kubernetes/client-go@v0.36.3 tools/record/event.go recorderImpl.makeEvent');
const events = from('kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/events.go ValidateEventCreate');
const selectable = from(
  'kubernetes/kubernetes@v1.36.3 pkg/registry/core/event/strategy.go ToSelectableFields',
);
const conversion = from(
  'kubernetes/kubernetes@v1.36.3 pkg/apis/events/v1/conversion.go Convert_v1_Event_To_core_Event',
  'a node',
);
const node = from('kubernetes/kubernetes@v1.36.3 pkg/kubelet/nodestatus/setters.go', 'a node');
const strategy = from('kubernetes/kubernetes@v1.36.3 pkg/registry/core/node/strategy.go nodeStrategy');
const lease = from(
  'kubernetes/component-helpers@v0.36.3 apimachinery/lease/controller.go controller.newLease',
  'a node',
);
const leaseRules = from(
  'kubernetes/kubernetes@v1.36.3 pkg/apis/coordination/validation/validation.go ValidateLeaseSpec',
);

const READY = { status: { conditions: has({ type: 'Ready', status: 'True', reason: 'KubeletReady' }) } };
const KUBELET = { metadata: { labels: { 'kubernetes.io/hostname': present } } };

/** Events. */
export const inEvents = area(
  'Events',
  recorder('An Event names its object, its component, and its times', async (api) => {
    const name = await ownNode(api, 'one');
    await api.made(pods, podFor(api, 'a'));
    const uid = (await api.get(pods, 'a').becomes({ spec: { nodeName: name } })).at('metadata.uid');
    await api.events('a').becomes({
      items: [
        {
          metadata: { name: /^a\.[0-9a-f]+$/, namespace: api.namespace },
          involvedObject: {
            kind: 'Pod',
            namespace: api.namespace,
            name: 'a',
            uid,
            apiVersion: 'v1',
            resourceVersion: /^\d+$/,
          },
          reason: 'Scheduled',
          type: 'Normal',
          reportingComponent: 'default-scheduler',
          reportingInstance: /^default-scheduler-/,
          eventTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
          firstTimestamp: null,
        },
      ],
    });
  }),
  conversion('An Event is the same in both groups', async (api) => {
    await api.made(pods, pod('a'));
    const { body } = await api.events('a').becomes({ items: has({ reason: 'Started' }) });
    const started = (
      body as {
        readonly items: readonly { readonly reason: string; readonly metadata: { readonly name: string } }[];
      }
    ).items.find(({ reason }) => reason === 'Started');
    await api
      .raw('GET', `/apis/events.k8s.io/v1/namespaces/$namespace/events/${started?.metadata.name}`)
      .answers(200, {
        kind: 'Event',
        apiVersion: 'events.k8s.io/v1',
        note: 'Container started',
        regarding: { kind: 'Pod', name: 'a', fieldPath: 'spec.containers{main}' },
        deprecatedSource: { component: 'kubelet' },
        deprecatedCount: 1,
        message: absent,
      });
  }),
  selectable('Events are selected by their object, reason and type', async (api) => {
    for (const [name, reason, type] of [
      ['x', 'Good', 'Normal'],
      ['y', 'Bad', 'Warning'],
    ] as const) {
      const involvedObject = { kind: 'ConfigMap', namespace: api.namespace, name };
      const body = {
        apiVersion: 'v1',
        kind: 'Event',
        ...named(name),
        involvedObject,
        reason,
        type,
        message: 'm',
      };
      await api.raw('POST', '/api/v1/namespaces/$namespace/events', { body }).answers(201);
    }
    const selects = (fieldSelector: string) =>
      api.raw('GET', '/api/v1/namespaces/$namespace/events', { query: { fieldSelector } });
    await selects('type=Warning').answers(200, { items: [{ metadata: { name: 'y' } }] });
    await selects('involvedObject.kind=ConfigMap,involvedObject.name=x').answers(200, {
      items: [{ reason: 'Good' }],
    });
    await selects('reason!=Good').answers(200, { items: [{ reason: 'Bad' }] });
  }),
  events('An Event about an object of another namespace is invalid', async (api) => {
    const involvedObject = { kind: 'ConfigMap', namespace: 'default', name: 'x' };
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      ...named('x'),
      involvedObject,
      reason: 'R',
      type: 'Normal',
    };
    await api
      .raw('POST', '/api/v1/namespaces/$namespace/events', { body })
      .refused(
        422,
        'Event "x" is invalid: involvedObject.namespace: Invalid value: "default": does not match event.namespace',
      );
  }),
);

/** Nodes and their leases. */
export const inNodes = area(
  'Nodes',
  node('A node reports its conditions', async (api) => {
    await api.list(nodes).becomes({
      items: has({
        status: {
          conditions: has(
            {
              type: 'MemoryPressure',
              status: 'False',
              reason: 'KubeletHasSufficientMemory',
              message: 'kubelet has sufficient memory available',
            },
            { type: 'DiskPressure', status: 'False', reason: 'KubeletHasNoDiskPressure' },
            { type: 'PIDPressure', status: 'False', reason: 'KubeletHasSufficientPID' },
            {
              type: 'Ready',
              status: 'True',
              reason: 'KubeletReady',
              message: 'kubelet is posting ready status',
            },
          ),
        },
      }),
    });
  }),
  node('A node reports its software, addresses and resources', async (api) => {
    await api.list(nodes).becomes({
      items: has({
        ...KUBELET,
        status: {
          capacity: { cpu: present, memory: /^\d+\w*$/, pods: /^\d+$/ },
          allocatable: { cpu: present, memory: present, pods: /^\d+$/ },
          addresses: has({ type: 'InternalIP' }, { type: 'Hostname' }),
          nodeInfo: {
            kubeletVersion: /^v\d/,
            operatingSystem: 'linux',
            architecture: present,
            containerRuntimeVersion: /^[\w-]+:\/\//,
          },
          daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
        },
      }),
    });
  }),
  node('A node has the labels of its platform', async (api) => {
    await api.list(nodes).becomes({
      items: has({
        metadata: {
          labels: {
            'kubernetes.io/os': 'linux',
            'kubernetes.io/arch': present,
            'kubernetes.io/hostname': present,
          },
        },
      }),
    });
  }),
  lease('A kubelet renews the lease of its node', async (api) => {
    const list = await api
      .raw('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases')
      .becomes({
        items: has({
          spec: { leaseDurationSeconds: 40, renewTime: present },
          metadata: { ownerReferences: [{ kind: 'Node' }] },
        }),
      });
    const at = (
      list.body as {
        readonly items: readonly {
          readonly metadata: { readonly name: string; readonly ownerReferences?: unknown };
          readonly spec: { readonly renewTime: string };
        }[];
      }
    ).items.find(({ metadata }) => metadata.ownerReferences);
    await api
      .raw('GET', `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${at?.metadata.name}`)
      .becomes({
        spec: {
          holderIdentity: at?.metadata.name,
          renewTime: new RegExp(`^(?!${at?.spec.renewTime.replaceAll('.', '\\.')})`),
        },
      });
  }),
  node('A node is ready while its kubelet runs', async (api) => {
    await api.list(nodes).becomes({ items: has(READY) });
  }),
  strategy('The status of a node has its own URL', async (api) => {
    const name = await ownNode(api, 'one');
    const conditions = [{ type: 'example.com/Mine', status: 'True' }];
    await api
      .patch(nodes, `${name}/status`, 'strategic', { status: { conditions }, spec: { unschedulable: true } })
      .answers(200, {
        spec: { unschedulable: absent },
        status: { conditions: has({ type: 'Ready' }, conditions[0]) },
      });
  }),
  leaseRules('A lease must last for some time', async (api) => {
    await api
      .create(leases, { ...named('a'), spec: { leaseDurationSeconds: 0 } })
      .refused(
        422,
        'Lease.coordination.k8s.io "a" is invalid: spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      );
  }),
  from('kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go printNode')(
    'A table shows the status of a node',
    async (api) => {
      const name = await ownNode(api, 'one', { unschedulable: true });
      const query = { fieldSelector: `metadata.name=${name}` };
      await api
        .raw('GET', '/api/v1/nodes', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io', query })
        .answers(200, {
          rows: [
            { cells: has(name, oneOf('Ready,SchedulingDisabled', 'NotReady,SchedulingDisabled'), '<none>') },
          ],
        });
    },
  ),
);
