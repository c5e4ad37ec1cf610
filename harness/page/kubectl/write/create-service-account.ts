import type { KubeObject, New } from '../../../api/objects.ts';
import { serviceAccounts } from '../../../api/resource.ts';
import type { Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING } from '../targets.ts';
import { createOne, nameOf, place } from './create.ts';
import { failed } from './create-roles.ts';
import { WRITING } from './report.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_serviceaccount.go ServiceAccountOpts.Run */
export const createServiceAccount: Command = {
  name: 'create serviceaccount',
  aliases: ['create sa'],
  usage: 'NAME',
  summary: 'Creates a ServiceAccount',
  reads: false,
  flags: WRITING,
  run: async (call) => {
    const object = { metadata: { name: nameOf(call), ...place(call) } } as New<KubeObject>;
    await createOne(call, serviceAccounts, object).catch(failed('serviceaccount'));
  },
};

/** The versions of the kinds that a token can be bound to. */
const BOUND: Readonly<Record<string, string>> = { Node: 'v1', Pod: 'v1', Secret: 'v1' };

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_token.go TokenOptions.Run */
export const createToken: Command = {
  name: 'create token',
  usage:
    'SERVICE_ACCOUNT [--duration=1h] [--audience=NAME] [--bound-object-kind=KIND --bound-object-name=NAME]',
  summary: 'Requests a token of a ServiceAccount',
  reads: false,
  flags: {
    namespace: SELECTING.namespace,
    audience: { type: 'texts', help: 'the receiver of the token; repeat it for several' },
    duration: { type: 'duration', help: 'how long it is valid' },
    'bound-object-kind': { type: 'text', help: 'Node, Pod or Secret: the token ends with this object' },
    'bound-object-name': { type: 'text', help: 'the name of that object' },
    'bound-object-uid': { type: 'text', help: 'the UID of that object' },
  },
  run: async (call) => {
    const { flags } = call;
    const name = nameOf(call);
    const durationMs = flags.duration('duration') ?? 0;
    if (durationMs < 0) throw new KubectlError('--duration must be greater than or equal to 0');
    if (durationMs % 1_000 !== 0) {
      throw new KubectlError('--duration cannot be expressed in units less than seconds');
    }
    const audiences = [...flags.list('audience')];
    if (audiences.includes('')) throw new KubectlError('--audience must not be an empty string');
    const bound = boundObject(flags);
    const spec = {
      audiences,
      ...(durationMs > 0 && { expirationSeconds: durationMs / 1_000 }),
      ...(bound && { boundObjectRef: bound }),
    };
    const { status } = await call.client
      .createToken({ namespace: call.namespace, name }, { spec })
      .catch(failed('token'));
    call.io.out(`${status.token}\n`);
  },
};

function boundObject(flags: { text(name: string): string | undefined }) {
  const [kind = '', name = '', uid = ''] = ['kind', 'name', 'uid'].map((part) =>
    flags.text(`bound-object-${part}`),
  );
  if (kind === '') {
    for (const [part, value] of Object.entries({ name, uid })) {
      if (value !== '') {
        throw new KubectlError(`--bound-object-${part} can only be set if --bound-object-kind is provided`);
      }
    }
    return undefined;
  }
  const apiVersion = BOUND[kind];
  if (apiVersion === undefined) {
    throw new KubectlError(`supported --bound-object-kind values are ${Object.keys(BOUND).join(', ')}`);
  }
  if (name === '') {
    throw new KubectlError('--bound-object-name is required if --bound-object-kind is provided');
  }
  return { kind, apiVersion, name, ...(uid !== '' && { uid }) };
}
