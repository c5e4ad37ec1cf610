import type { Components } from '../../contracts/component.ts';
import { testCredentials } from './credentials.fixture.ts';
import { openHandler } from './front.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testCredentials(() => openHandler(components));
