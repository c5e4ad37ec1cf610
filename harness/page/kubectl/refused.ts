import { KubectlError } from './kubectl-error.ts';

/** The commands of kubectl that the prompt does not take, with the nearest thing that it takes. */
const REASONS: Readonly<Record<string, string>> = {
  'port-forward':
    'port-forward connects your machine, and this cluster runs in a page: curl http://SERVICE sends a request from a pod',
  watch: 'watch repeats a command on a machine: get -w prints each change',
  proxy:
    'proxy serves the API on your machine, and this cluster runs in a page: get -o json prints what it would show',
  autoscale:
    'autoscale creates a HorizontalPodAutoscaler, on which no component here acts: scale sets the number',
  edit: 'edit opens a program of your machine: change the manifest in the editor, then apply -f -',
  replace: 'replace is not here: apply -f FILE changes an object to match its manifest',
  explain:
    'explain needs descriptions of fields, which this apiserver does not have: get TYPE NAME -o yaml shows the fields',
  attach: 'attach is not here: logs -f follows the output, and run -it connects to a new program',
  cp: 'cp copies files from your machine: exec POD -- cat FILE prints a file',
  debug: 'debug is not here: exec -it POD -- sh opens a shell, and run -it starts another pod',
  'auth reconcile': 'auth reconcile is not here: apply -f FILE changes roles and bindings',
  config: 'config is not here: there is one cluster, and -n chooses the namespace',
  certificate: 'certificate is not here: get csr lists the requests',
  kustomize: 'kustomize is not here: write the manifest in the editor, then apply -f -',
  completion: 'completion is not needed: the Tab key completes words here',
  'set env': 'set env is not here: patch or apply the manifest with the variables',
  'set resources': 'set resources is not here: patch or apply the manifest with the requests and limits',
  'create service': 'create service is not here: expose deploy/NAME --port=80 creates a Service',
  'create secret': 'create secret is not here: apply a manifest with a Secret from the editor',
  'create ingress':
    'create ingress is not here: no component of this cluster forwards requests for an Ingress',
};

/** These commands fail with one sentence. They have no flags, so their words are not read. */
const refusals: ReadonlyMap<string, string> = new Map(Object.entries(REASONS));

/** @throws KubectlError if a line begins with a command that is not here */
export function refuse([first = '', second = '']: readonly string[]): void {
  const why = refusals.get(`${first} ${second}`) ?? refusals.get(first);
  if (why !== undefined) throw new KubectlError(why);
}
