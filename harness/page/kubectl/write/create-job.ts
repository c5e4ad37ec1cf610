import type { CronJob, KubeObject, New } from '../../../api/objects.ts';
import { cronJobs, jobs } from '../../../api/plain-resources.ts';
import type { Call, Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { createOne, nameOf, place } from './create.ts';
import { WRITING } from './report.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_job.go CreateJobOptions.Run */
export const createJob: Command = {
  name: 'create job',
  usage: 'NAME (--image=IMAGE [-- COMMAND ARGS…] | --from=cronjob/NAME)',
  summary: 'Creates a Job',
  reads: false,
  flags: {
    ...WRITING,
    image: { type: 'text', help: 'the image of its container' },
    from: { type: 'text', help: 'a CronJob whose template it copies: cronjob/NAME' },
  },
  run: async (call) => {
    const name = nameOf(call);
    const [image = '', from = ''] = [call.flags.text('image'), call.flags.text('from')];
    if ((image === '') === (from === ''))
      throw new KubectlError('either --image or --from must be specified');
    if (from !== '' && call.rest.length > 0) throw new KubectlError('cannot specify --from and command');
    const job = from === '' ? ofImage(name, image, call.rest) : ofCronJob(name, await cronJobOf(call, from));
    const metadata = { ...job.metadata, ...place(call) };
    await createOne(call, jobs, { ...job, metadata } as New<KubeObject>);
  },
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_cronjob.go CreateCronJobOptions.Run */
export const createCronJob: Command = {
  name: 'create cronjob',
  aliases: ['create cj'],
  usage: 'NAME --image=IMAGE --schedule=TIMES [--restart=OnFailure] [-- COMMAND ARGS…]',
  summary: 'Creates a CronJob',
  reads: false,
  flags: {
    ...WRITING,
    image: { type: 'text', help: 'the image of its container' },
    schedule: { type: 'text', help: 'its times: "*/5 * * * *"' },
    restart: { type: 'text', help: 'when its container starts again: OnFailure or Never' },
  },
  run: async (call) => {
    const name = nameOf(call);
    const [image, schedule] = [call.flags.text('image'), call.flags.text('schedule')];
    const missing = Object.entries({ image, schedule }).flatMap(([flag, value]) =>
      value ? [] : [`"${flag}"`],
    );
    if (missing.length > 0) throw new KubectlError(`required flag(s) ${missing.join(', ')} not set`);
    const restartPolicy = call.flags.text('restart') ?? 'OnFailure';
    await createOne(call, cronJobs, {
      metadata: { name, ...place(call) },
      spec: {
        schedule,
        jobTemplate: {
          metadata: { name },
          spec: jobSpec({ name, image, command: call.rest, restartPolicy }),
        },
      },
      status: {},
    } as New<KubeObject>);
  },
};

/** The container of a new Job. */
interface JobContainer {
  readonly name: string;
  readonly image: string | undefined;
  readonly command: readonly string[];
  readonly restartPolicy: string;
}

function jobSpec({ name, image, command, restartPolicy }: JobContainer) {
  const container = { name, image, ...(command.length > 0 && { command: [...command] }), resources: {} };
  return { template: { metadata: {}, spec: { containers: [container], restartPolicy } } };
}

function ofImage(name: string, image: string, command: readonly string[]) {
  return { metadata: { name }, spec: jobSpec({ name, image, command, restartPolicy: 'Never' }), status: {} };
}

function ofCronJob(name: string, { metadata, spec: { jobTemplate } }: CronJob) {
  const owner = {
    ...{ apiVersion: 'batch/v1', kind: 'CronJob', name: metadata.name, uid: metadata.uid },
    controller: true,
  };
  const { labels, annotations } = jobTemplate.metadata ?? {};
  return {
    metadata: {
      name,
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...annotations },
      ...(labels && { labels }),
      ownerReferences: [owner],
    },
    spec: jobTemplate.spec,
    status: {},
  };
}

async function cronJobOf({ client, kinds, namespace }: Call, from: string): Promise<CronJob> {
  const [kind = '', name = ''] = from.split('/');
  if (kinds.named(kind) !== cronJobs) throw new KubectlError('from must be an existing cronjob');
  return client.get(cronJobs, { namespace, name });
}
