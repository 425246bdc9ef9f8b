"""Watch one compile: what each stage did, as ``facts``. ``api.capture`` is the door."""
