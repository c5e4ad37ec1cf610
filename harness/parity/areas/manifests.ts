/** Images that a real registry has, too. They also are in the catalogue of our registries. */
export const BUSYBOX = 'busybox:1.36';
export const NGINX = 'nginx:1.25';
export const PAUSE = 'registry.k8s.io/pause:3.10';

/** Returns the metadata of an object. */
export function named(name: string, metadata: object = {}): { readonly metadata: object } {
  return { metadata: { name, ...metadata } };
}

/** Parts of a pod that differ from the defaults of {@link pod}. */
export interface PodParts {
  readonly labels?: object;
  readonly metadata?: object;
  /** Fields of its only container, which is called `main`. */
  readonly main?: object;
  /** Further fields of the spec. They also replace those of {@link pod}. */
  readonly spec?: { readonly nodeSelector?: object; readonly [field: string]: unknown };
}

/** Returns a pod that only waits. */
export function pod(name: string, { labels = {}, metadata = {}, main = {}, spec = {} }: PodParts = {}) {
  return {
    ...named(name, { labels, ...metadata }),
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'main', image: PAUSE, ...main }],
      ...spec,
    },
  };
}

/** Returns a pod that runs a script once. */
export function script(name: string, text: string, { main = {}, spec = {}, ...parts }: PodParts = {}) {
  return pod(name, {
    ...parts,
    main: { ...shell(text), ...main },
    spec: { restartPolicy: 'Never', ...spec },
  });
}

/** Returns the image and the command of a container that runs a script. */
export function shell(text: string) {
  return { image: BUSYBOX, command: ['sh', '-c', text] };
}

/** Returns a pod that serves the welcome page of nginx on port 80, and is ready when it does. */
export function server(name: string, { main = {}, ...parts }: PodParts = {}) {
  const readinessProbe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1 };
  const ports = [{ name: 'http', containerPort: 80 }];
  return pod(name, { ...parts, main: { image: NGINX, ports, readinessProbe, ...main } });
}

/** Returns a ReplicaSet or the common part of a Deployment: pods that only wait, with the label `app`. */
export function replicated(
  name: string,
  spec: object = {},
  { labels = {}, ...parts }: Omit<PodParts, 'metadata'> = {},
) {
  const app = { app: name };
  const template = pod('', { ...parts, labels: { ...app, ...labels } });
  return {
    ...named(name, { labels: app }),
    spec: {
      selector: { matchLabels: app },
      template: { metadata: { labels: { ...app, ...labels } }, spec: template.spec },
      ...spec,
    },
  };
}

/** Returns a Deployment: see {@link replicated}. */
export const deployment = replicated;

/** Returns a Service that selects the pods with the label `app`. */
export function service(name: string, spec: object = {}) {
  return { ...named(name), spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec } };
}
