import type { APIServiceCondition } from '#api/apiregistration/v1';
import { quote } from '../../api/names.ts';
import type { APIService, EndpointSlice, KubeObject, Service } from '../../api/objects.ts';
import { apiServices } from '../../api/plain-resources.ts';
import { endpointSlices, services } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import { withCondition } from '../../apiserver/kinds/with-condition.ts';
import type { Component } from '../../contracts/component.ts';
import { ItemBackoff } from '../../contracts/item-backoff.ts';
import { lastKnown } from '../../contracts/last-known.ts';
import { SLICE } from '../../contracts/slice-labels.ts';
import { formatTime } from '../../sim/index.ts';

const WORKERS = 5;

/** Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/controllers/status/remote/remote_available_controller.go New */
const BACKOFF = { baseMs: 5, maxMs: 30_000 };

/**
 * Sets the condition `Available` of each APIService. One without a Service is always available. For the others, the
 * condition reports the first obstacle: no Service, a wrong port, no endpoint.
 *
 * Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/controllers/status/remote/remote_available_controller.go
 * AvailableConditionController, pkg/controllers/status/local/local_available_controller.go
 *
 * Differs: it does not request the discovery document of the Service. The check counts as failed, because the apiserver
 * passes no request on to the Service.
 */
export const apiServiceAvailabilityController: Component = async (context) => {
  const { client, informers, signal, clock } = context;
  const queue = context.newWorkQueue<string>({ rateLimiter: new ItemBackoff(BACKOFF) });
  const all = informers.forResource(apiServices, { service: servicesOf });
  const known = informers.forResource(services);
  const slices = informers.forResource(endpointSlices, { service: serviceOf });
  const enqueue = ({ metadata }: APIService): void => queue.add(metadata.name);
  const enqueueFor = (keys: readonly string[]): void => {
    for (const key of keys) all.indexer.byIndex('service', key).forEach(enqueue);
  };
  all.addEventHandler({ onAdd: enqueue, onUpdate: (_old, service) => enqueue(service) });
  known.addEventHandler({
    onAdd: (service) => enqueueFor([keyText(service)]),
    onUpdate: (_old, service) => enqueueFor([keyText(service)]),
    onDelete: (last) => enqueueFor([keyText(lastKnown(last))]),
  });
  slices.addEventHandler({
    onAdd: (slice) => enqueueFor(serviceOf(slice)),
    onUpdate: (old, slice) => enqueueFor([...serviceOf(old), ...serviceOf(slice)]),
    onDelete: (last) => enqueueFor(serviceOf(lastKnown(last))),
  });
  informers.start();
  await informers.waitForCacheSync();
  await context.runWorkers({
    queue,
    workers: WORKERS,
    sync: async (name) => {
      const apiService = all.indexer.getByKey(name);
      if (!apiService) return;
      const [key = ''] = servicesOf(apiService);
      const verdict = verdictOn(
        apiService,
        known.indexer.getByKey(key),
        slices.indexer.byIndex('service', key),
      );
      const conditions = apiService.status.conditions ?? [];
      const before = conditions.find(({ type }) => type === 'Available');
      const isSame = (['status', 'reason', 'message'] as const).every(
        (field) => before?.[field] === verdict[field],
      );
      if (isSame) return;
      const next = withCondition<APIServiceCondition>(conditions, verdict, formatTime(clock.now()));
      const status = { ...apiService.status, conditions: next };
      await client
        .updateStatus(apiServices, { ...apiService, status }, { signal })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    },
  });
};

type Verdict = Required<Pick<APIServiceCondition, 'type' | 'status' | 'reason' | 'message'>>;

/** Upstream: AvailableConditionController.sync */
function verdictOn(
  { spec }: APIService,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
): Verdict {
  if (!spec.service) return verdict('Local', 'Local APIServices are always available', 'True');
  const { namespace = '', name = '', port = 443 } = spec.service;
  const which = `service/${name} in ${quote(namespace)}`;
  if (!service) return verdict('ServiceNotFound', `${which} is not present`);
  if (service.spec.type === 'ClusterIP') {
    const found = service.spec.ports?.find((each) => each.port === port);
    if (!found) return verdict('ServicePortError', `${which} is not listening on port ${port}`);
    if (slices.length === 0) {
      return verdict('EndpointsNotFound', `cannot find endpointslices for ${which}`);
    }
    const portName = found.name ?? '';
    if (!slices.some((slice) => isReady(slice, portName))) {
      const why = `endpointslices for ${which} have no addresses with port name ${quote(portName)}`;
      return verdict('MissingEndpoints', why);
    }
  }
  const url = `https://${service.spec.clusterIP ?? ''}:${port}/apis/${spec.group}/${spec.version}`;
  const why = `failing or missing response from ${url}: this apiserver passes no request on to a Service`;
  return verdict('FailedDiscoveryCheck', why);
}

function verdict(reason: string, message: string, status = 'False'): Verdict {
  return { type: 'Available', status, reason, message };
}

/** Upstream: hasAvailableEndpoint */
function isReady({ endpoints, ports }: EndpointSlice, portName: string): boolean {
  return (
    (endpoints ?? []).some(({ conditions }) => conditions?.ready ?? true) &&
    (ports ?? []).some(({ name, port }) => name === portName && typeof port === 'number')
  );
}

const keyText = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace}/${name}`;

/** Returns the key of the Service of an APIService, if it has one. */
function servicesOf({ spec: { service } }: APIService): readonly string[] {
  return service ? [`${service.namespace}/${service.name}`] : [];
}

/** Returns the key of the Service of a slice, if it has one. */
function serviceOf({ metadata: { namespace, labels } }: EndpointSlice): readonly string[] {
  const name = labels?.[SLICE.service];
  return name ? [`${namespace}/${name}`] : [];
}
