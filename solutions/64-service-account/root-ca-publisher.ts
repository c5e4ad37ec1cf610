import {
  type Component,
  type ConfigMap,
  configMaps,
  deepEqual,
  isNamespaceTerminating,
  isNotFound,
  lastKnown,
  messageOf,
  type Namespace,
  type New,
  namespaces,
} from '#harness';

const NAME = 'kube-root-ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
const USAGE =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * Publishes the certificate of the apiserver's authority in each namespace: the ConfigMap `kube-root-ca.crt`. Reverts
 * changes of its data, and restores its description.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/certificates/rootcacertpublisher/publisher.go Publisher
 */
export const rootCAPublisher: Component = async (context) => {
  const { client, informers, signal } = context;
  const data = { 'ca.crt': context.keys.rootCA };
  const queue = context.newWorkQueue<string>();
  const all = informers.forResource(namespaces);
  const published = informers.forResource(configMaps);
  const enqueue = ({ metadata }: Namespace): void => queue.add(metadata.name);
  const enqueueOf = ({ metadata }: ConfigMap): void => {
    if (metadata.name === NAME) queue.add(metadata.namespace ?? '');
  };
  all.addEventHandler({
    onAdd: enqueue,
    onUpdate: (_old, namespace) => {
      if (namespace.status.phase === 'Active') enqueue(namespace);
    },
  });
  published.addEventHandler({
    onUpdate: (_old, configMap) => enqueueOf(configMap),
    onDelete: (last) => enqueueOf(lastKnown(last)),
  });
  informers.start();
  await informers.waitForCacheSync();
  await context.runWorkers({
    queue,
    workers: 1,
    sync: async (namespace) => {
      const found = published.indexer.getByKey(`${namespace}/${NAME}`);
      if (found && isRight(found, data)) return;
      if (found) {
        await client.update(configMaps, repaired(found, data), { signal });
        return;
      }
      try {
        await client.create(configMaps, newConfigMap(namespace, data), { signal });
      } catch (error) {
        // The namespace needs it no more.
        if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error;
      }
    },
    onError: (error, namespace) =>
      context.log(`The CA certificate of namespace ${namespace} is not right: ${messageOf(error)}`),
  });
};

type Data = Readonly<Record<string, string>>;

function newConfigMap(namespace: string, data: Data): New<ConfigMap> {
  return { metadata: { namespace, name: NAME, annotations: { [DESCRIPTION]: USAGE } }, data };
}

/** Returns whether a ConfigMap has exactly these data, and any description. */
function isRight({ data: found, metadata }: ConfigMap, data: Data): boolean {
  return deepEqual(found, data) && Boolean(metadata.annotations?.[DESCRIPTION]);
}

function repaired(configMap: ConfigMap, data: Data): ConfigMap {
  const { metadata } = configMap;
  const annotations = { ...metadata.annotations, [DESCRIPTION]: USAGE };
  return { ...configMap, metadata: { ...metadata, annotations }, data };
}
