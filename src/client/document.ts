// Identity documents, part 2.4 of the interface, in their two variants: as they are listed, and as look-ups find them.

export type KeyType =
  | "KeyType_UNSPECIFIED"
  | "KeyType_JSON_WEB_KEY_2020"
  | "KeyType_ED25519_VERIFICATION_KEY_2018"
  | "KeyType_ECDSA_SECP256K1_VERIFICATION_KEY_2019"
  | "KeyType_RSA_VERIFICATION_KEY_2018"
  | "KeyType_WEB_AUTHN_AUTHENTICATION_2018"
  | "KeyType_ED25519_VERIFICATION_KEY_2020"
  | "KeyType_MULTIKEY"
  | "KeyType_X25519_KEY_AGREEMENT_KEY_2020";

export type ServiceType =
  | "ServiceType_UNSPECIFIED"
  | "ServiceType_DID_COMM_MESSAGING"
  | "ServiceType_ENCRYPTED_DATA_VAULT"
  | "ServiceType_LINKED_DOMAINS";

export type StringMap = { readonly [name: string]: string };

export type ListedMethod = {
  readonly iD: string;
  readonly type: KeyType;
  readonly controller: string;
  readonly public_key_jwk: StringMap;
  readonly public_key_multibase: string;
};

export type FoundMethod = ListedMethod & {
  readonly blockchain_account_id: string;
  readonly webauthn_credential: WebauthnCredential | null;
};

export type WebauthnCredential = {
  readonly id: string;
  readonly public_key: string;
  readonly attestation_type: string;
  readonly authenticator_transport: string;
  readonly authenticator: {
    readonly aaguid: string;
    readonly sign_count: number;
    readonly clone_warning: boolean;
  };
};

/** A method of its own, or the id of one of the document's. */
export type Relationship<Method> = { readonly verification_method: Method | null; readonly reference: string };

export type Service<Type extends string> = {
  readonly iD: string;
  readonly type: Type;
  readonly service_endpoint: string;
  readonly service_endpoints: StringMap;
};

type Data<Entry> = { readonly data: readonly Entry[] };

export type IdentityDocument<Method, Type extends string> = {
  readonly context: readonly string[];
  readonly creator: string;
  readonly iD: string;
  readonly controller: readonly string[];
  readonly verification_method: Data<Method>;
  readonly authentication: Data<Relationship<Method>>;
  readonly assertion_method: Data<Relationship<Method>>;
  readonly capability_invocation: Data<Relationship<Method>>;
  readonly capability_delegation: Data<Relationship<Method>>;
  readonly key_agreement: Data<Relationship<Method>>;
  readonly service: Data<Service<Type>>;
  readonly also_known_as: readonly string[];
};

export type ListedDocument = IdentityDocument<ListedMethod, string>;
export type FoundDocument = IdentityDocument<FoundMethod, ServiceType>;
