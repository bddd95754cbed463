// An object that says its type, with the fields of that type: messages, public keys, message responses.

export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** As it is sent, whatever the client was asked to do with integers: the client does not know the fields of all types. */
export type TypedObject = { readonly "@type": string; readonly [field: string]: Json };
