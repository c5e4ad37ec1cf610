import type * as core from '#api/core/v1';
import { isDNS1123Label } from '../../api/names.ts';
import type { Service } from '../../api/objects.ts';
import { services } from '../../api/resource.ts';
import { mapItems, withChanged, withDefaults, without } from '../copy-on-write.ts';
import type { Kind } from '../kind.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../validation/object-meta.ts';
import { ServiceAllocators } from './service-allocators.ts';
import { validateServiceStatus } from './service-status.ts';
import { dropTypeDependentFields, isExternallyAccessible, needsNodePort } from './service-type.ts';
import { validateServiceSpec, validateServiceSpecUpdate } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';
import { withField } from './with-field.ts';

/**
 * The kind Service. Its addresses and node ports come from {@link ServiceAllocators}, before what is here.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/strategy.go, pkg/apis/core/v1/defaults.go
 * SetDefaults_Service
 */
export const service: Kind<Service> = {
  resource: services,
  validateName: isDNS1123Label,
  selectableFields: ({ spec }) => ({ 'spec.clusterIP': spec.clusterIP ?? '', 'spec.type': spec.type ?? '' }),
  selectableFieldNames: ['spec.clusterIP', 'spec.type'],
  allowCreateOnUpdate: true,
  returnsDeletedObject: true,
  newAllocator: () => new ServiceAllocators(),

  setDefaults(object) {
    const whole = withDefaults(object, { spec: {}, status: EMPTY_STATUS });
    const specified = withChanged(whole, 'spec', setSpecDefaults);
    return specified.spec.type === 'LoadBalancer'
      ? withChanged(specified, 'status', setStatusDefaults)
      : specified;
  },

  prepareForCreate(object) {
    return withField(object, 'status', EMPTY_STATUS);
  },

  validate(object) {
    return [
      ...validateObjectMeta(object.metadata, { namespaced: true, validateName: isDNS1123Label }),
      ...validateServiceSpec(object),
    ];
  },

  warningsOnCreate: serviceWarnings,
  warningsOnUpdate: serviceWarnings,

  prepareForUpdate(object, old) {
    const spec = dropTypeDependentFields(object.spec, old.spec);
    // Taking a load balancer down lasts a while; that its address is gone is known at once.
    const status = spec.type === 'LoadBalancer' ? old.status : withField(old.status, 'loadBalancer', EMPTY);
    return withField(withField(object, 'spec', spec), 'status', status);
  },

  validateUpdate(object, old) {
    return [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateServiceSpecUpdate(object, old),
      ...validateServiceSpec(object, old.spec),
    ];
  },

  prepareForStatusUpdate(object, old) {
    return withField(object, 'spec', old.spec);
  },

  validateStatusUpdate(object, old) {
    return [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...validateServiceStatus(object.status, old.status, object.spec),
    ];
  },
};

const EMPTY: core.LoadBalancerStatus = Object.freeze({});
const EMPTY_STATUS: core.ServiceStatus = Object.freeze({ loadBalancer: EMPTY });

function setSpecDefaults(original: core.ServiceSpec): core.ServiceSpec {
  let spec = withDefaults(original, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec.sessionAffinity === 'None') spec = without(spec, 'sessionAffinityConfig');
  if (
    spec.sessionAffinity === 'ClientIP' &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec = { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: 3 * 60 * 60 } } };
  }
  spec = withChanged(spec, 'ports', (ports) => mapItems(ports, setPortDefaults));
  if (isExternallyAccessible(spec)) spec = withDefaults(spec, { externalTrafficPolicy: 'Cluster' });
  if (needsNodePort(spec) || spec.type === 'ClusterIP') {
    spec = withDefaults(spec, { internalTrafficPolicy: 'Cluster' });
  }
  return spec.type === 'LoadBalancer' ? withDefaults(spec, { allocateLoadBalancerNodePorts: true }) : spec;
}

function setPortDefaults(port: core.ServicePort): core.ServicePort {
  const whole = withDefaults(port, { protocol: 'TCP' });
  // A target port is always printed: 0 when there is none.
  return whole.targetPort || !port.port ? whole : { ...whole, targetPort: port.port };
}

function setStatusDefaults(status: core.ServiceStatus): core.ServiceStatus {
  return withChanged(withDefaults(status, EMPTY_STATUS), 'loadBalancer', (loadBalancer) =>
    withChanged(loadBalancer, 'ingress', (ingress) =>
      mapItems(ingress, (point) => (point.ip ? withDefaults(point, { ipMode: 'VIP' }) : point)),
    ),
  );
}
