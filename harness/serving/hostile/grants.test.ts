import type { Components } from '../../contracts/component.ts';
import { openHandler } from './front.fixture.ts';
import { testGrants } from './grants.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testGrants(() => openHandler(components));
