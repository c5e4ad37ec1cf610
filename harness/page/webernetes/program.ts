/** A cluster, as both programs of the comparison run it. */
export interface ComparedCluster {
  /** Applies objects, and resolves when all replicas of the Deployment `web` are ready. Returns their number. */
  applyUntilReady(objects: readonly [deployment: WebDeployment, service: WebService]): Promise<number>;
  close(): Promise<void>;
}

/** The arguments of a program. */
export interface ProgramOptions {
  readonly replicas: number;
  /** The number of clusters, one after the other. The last one is measured. */
  readonly clusters: number;
  /** Whether our cluster authorizes and admits every request. The other cluster can do neither. */
  readonly secured: boolean;
}

/** The result of a program. */
export interface Measured {
  /** The number of ready replicas. */
  readonly ready: number;
  /** CPU time of all threads, in ms. The first cluster pays for the start of the process and the load of the code. */
  readonly cpuMs: number;
  /** The part of it from the first request of the apply on. */
  readonly applyCpuMs: number;
  /** The most memory that the process ever had, in MB. */
  readonly maxRssMb: number;
}

/** The number of nodes in both clusters. */
export const NODES = 3;

/** The longest wait for a cluster, in virtual ms. */
export const FOLLOWED_MS = 3_600_000;

/** Starts clusters as its arguments say, applies a Deployment and its Service to each, and prints the {@link Measured}. */
export async function runProgram(
  start: (options: ProgramOptions) => Promise<ComparedCluster>,
): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '') as ProgramOptions;
  let measured: Measured | undefined;
  for (let i = 0; i < options.clusters; i++) {
    const beganMs = i === 0 ? 0 : cpuMs();
    const cluster = await start(options);
    const appliedMs = cpuMs();
    const ready = await cluster.applyUntilReady(web(options.replicas));
    const endedMs = cpuMs();
    measured = {
      ready,
      cpuMs: endedMs - beganMs,
      applyCpuMs: endedMs - appliedMs,
      maxRssMb: process.resourceUsage().maxRSS / 1024,
    };
    await cluster.close();
  }
  console.log(JSON.stringify(measured));
  // A cluster that is closed may still have timers.
  process.exit(0);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type WebDeployment = ReturnType<typeof web>[0];
type WebService = ReturnType<typeof web>[1];

/** Returns a Deployment and its Service. webernetes has the image; in our cluster a stand-in takes its place. */
function web(replicas: number) {
  const labels = { app: 'web' };
  const container = {
    name: 'web',
    image: 'hashicorp/http-echo:1.0',
    args: ['-text=hello'],
    ports: [{ name: 'http', containerPort: 5678 }],
    resources: { requests: { cpu: '10m', memory: '16Mi' } },
    readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
  };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ] as const;
}
