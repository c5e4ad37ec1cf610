import {
  catalogue,
  familiarName,
  type MissingImage,
  type NewRegistry,
  ObligingRegistry,
  publicRegistries,
  standInImage,
} from '../node/registry/index.ts';

/** Options of {@link registriesFor}. */
interface RegistriesOptions {
  /** Whether a stand-in takes the place of images outside the catalogue. */
  readonly anyImage: boolean;
  /** Receives a paragraph about each image that the registries do not have. */
  readonly tell: (paragraph: string) => void;
}

/** Returns the registries of a cluster that runs manifests of any origin. */
export function registriesFor({ anyImage, tell }: RegistriesOptions): NewRegistry {
  const standIn = anyImage ? standInImage : undefined;
  const explained = new Set<string>();
  /** Returns an explanation the first time, and nothing later. */
  const once = (text: string): string => (explained.has(text) ? '' : explained.add(text) && ` ${text}`);
  const onMissing = ({ image, instead }: MissingImage): void => {
    if (instead === 'stand-in') tell(`A stand-in takes the place of ${image}.${once(STAND_IN)}`);
    else if (instead) tell(`${instead} takes the place of ${image}, which is not in the catalogue.`);
    else tell(`${image} cannot be pulled: it is not in the catalogue.${once(KNOWN)}`);
  };
  return (clock) => new ObligingRegistry(publicRegistries(clock), { catalogue, standIn, onMissing });
}

const STAND_IN = 'It listens on the ports of its container, and answers 200 to every request.';

const NAMES = [...new Set(catalogue.map(familiarName))].sort();

const KNOWN =
  `This cluster knows the images ${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}; harness/node/registry/catalogue.ts lists ` +
  'their tags. With --any-image, a stand-in takes the place of any other image.';
